package control

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
)

// ReadTargets is a call of [Server].
var ReadTargets = Call[url.Values, []TargetGroup]{get("readTargets", "/sd", "The metrics of all worlds, for `http_sd_configs` of Prometheus", readTargets).shared().answers("Targets").
	more("One target group for each world, with the labels `world` (the main world has none), `owner` and `label_…` for each label of the sandbox.")}

// TargetGroup says where the metrics of a world are, as Prometheus reads it.
type TargetGroup struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

func readTargets(c *call) (written, error) {
	base, err := url.Parse(c.server.baseOf(c.r))
	if err != nil {
		return written{}, err
	}
	groups := []TargetGroup{targetOf("", "", nil, base)}
	here, others, err := c.server.worlds.Everywhere(c)
	if err != nil {
		return written{}, err
	}
	for _, w := range here {
		groups = append(groups, targetOf(w.Name, w.Owner, w.Labels, base))
	}
	for _, l := range others {
		groups = append(groups, targetOf(l.Name, l.Facts.Owner, l.Facts.Labels, base))
	}
	writeJSON(c.w, http.StatusOK, "application/json", groups)
	return written{}, nil
}

// targetOf returns the target group of a world at the base address of a server. Prometheus
// ignores empty labels.
func targetOf(name, owner string, own map[string]string, base *url.URL) TargetGroup {
	port := cmp.Or(base.Port(), map[string]string{"http": "80", "https": "443"}[base.Scheme])
	path := PathMetrics
	if name != "" {
		path = sandboxPrefix + name + PathMetrics
	}
	labels := map[string]string{"__scheme__": base.Scheme, "__metrics_path__": base.Path + path}
	for label, value := range own {
		labels["label_"+label] = value
	}
	if name != "" {
		labels["world"] = name
	}
	if owner != "" {
		labels["owner"] = owner
	}
	return TargetGroup{[]string{net.JoinHostPort(base.Hostname(), port)}, labels}
}
