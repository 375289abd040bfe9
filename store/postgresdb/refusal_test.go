package postgresdb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestServersThatAreRefused(t *testing.T) {
	require.NoError(t, refusal(13_00_03, false))
	require.ErrorContains(t, refusal(12_00_22, false), "PostgreSQL 12: use 13 or newer")
	require.ErrorContains(t, refusal(15_00_04, true), "use the address of the primary server")
}
