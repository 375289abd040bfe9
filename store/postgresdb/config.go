package postgresdb

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// usualConnections is the default of [Options].Connections: three replicas use about half of the
// server's default of max_connections.
const usualConnections = 16

// urgentConnections is the number of connections of [DB.Urgently]: one for renewing leases,
// and one for ending the sessions that block others.
const urgentConnections = 2

// parameters are the settings of each connection, unless the URL has others. A client that
// vanished is noticed within a quarter of a minute, since it may hold locks.
var parameters = map[string]string{
	"application_name":                    "cabrank",
	"default_transaction_isolation":       "read committed",
	"statement_timeout":                   "60s",
	"idle_in_transaction_session_timeout": "10s",
	"tcp_keepalives_idle":                 "5",
	"tcp_keepalives_interval":             "3",
	"tcp_keepalives_count":                "3",
}

// IsURL reports whether an address is that of a PostgreSQL database.
func IsURL(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// configOf returns the configuration for the URL of a database, or an error that does not contain the URL.
func configOf(address string, o Options) (*pgxpool.Config, error) {
	if !IsURL(address) {
		return nil, fmt.Errorf("its address is not a URL: %s", usage)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, addressError(err)
	}
	if !strings.Contains(address, "pool_max_conns=") {
		config.MaxConns = usualConnections
		if o.Connections > 0 {
			config.MaxConns = int32(o.Connections)
		}
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	given := config.ConnConfig.RuntimeParams
	if schema := given["schema"]; schema != "" {
		delete(given, "schema")
		given["search_path"] = pgx.Identifier{schema}.Sanitize() //nolint:misspell // a name of pgx
	}
	for name, value := range parameters {
		if given[name] == "" {
			given[name] = value
		}
	}
	return config, nil
}

// urgentOf returns the configuration of the pool for urgent statements.
func urgentOf(config *pgxpool.Config) *pgxpool.Config {
	urgent := config.Copy()
	urgent.MaxConns, urgent.MinConns, urgent.MinIdleConns = urgentConnections, 0, 0
	return urgent
}

const usage = "use postgres://USER:PASSWORD@HOST:PORT/NAME, and %XX for special characters of the password"

// addressError returns the error of an address without the address, which contains the
// password.
func addressError(err error) error {
	_, what, _ := strings.Cut(err.Error(), "`: ")
	if what == "" || strings.HasPrefix(what, "failed to parse as URL") {
		what = "it cannot be read"
	}
	return fmt.Errorf("its address is wrong: %s: %s", what, usage)
}

// nameOf returns the URL of a database without its password and parameters, which may be
// secrets too.
func nameOf(c *pgx.ConnConfig) string {
	name := url.URL{Scheme: "postgres", User: url.User(c.User), Host: net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), Path: "/" + c.Database}
	if strings.HasPrefix(c.Host, "/") { // the folder of a socket
		name.Host, name.RawQuery = "", "host="+c.Host
	}
	return name.String()
}
