package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// in walks down a document in YAML: names of members and numbers of items, with points between them. It returns nil
// where there is nothing.
func in(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		if all, ok := v.([]any); ok {
			n, err := strconv.Atoi(name)
			if err != nil || n >= len(all) {
				return nil
			}
			v = all[n]
			continue
		}
		members, _ := v.(map[string]any)
		v = members[name]
	}
	return v
}

// text is a value of a document; "": there is none.
func text(v any, path string) string {
	if v = in(v, path); v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// items is a list of a document.
func items(v any, path string) []any {
	all, _ := in(v, path).([]any)
	return all
}

// TestKubernetesFilesMatchTheProgram compares the files for Kubernetes with the program, the Dockerfile and each other.
func TestKubernetesFilesMatchTheProgram(t *testing.T) {
	page := clitest.Read(t, "docs/team.md")
	for name, replicas := range map[string]int{"kubernetes-one.yaml": 1, "kubernetes-postgres.yaml": 3} {
		file := clitest.Read(t, filepath.Join(teamFiles, name))
		all := manifests(t, file)
		deployment := all["Deployment"]
		require.Equal(t, strconv.Itoa(replicas), text(deployment, "spec.replicas"), name)
		labels := in(deployment, "spec.template.metadata.labels")
		require.NotEmpty(t, labels)
		require.Equal(t, labels, in(deployment, "spec.selector.matchLabels"), name)
		pod := in(deployment, "spec.template.spec")
		require.Equal(t, instructions(t)["USER"], text(pod, "securityContext.runAsUser")+":"+text(pod, "securityContext.runAsGroup"), name)
		require.Len(t, items(pod, "containers"), 1)
		c := in(pod, "containers.0")
		sleep, _ := in(c, "lifecycle.preStop.sleep.seconds").(uint64)
		require.GreaterOrEqual(t, in(pod, "terminationGracePeriodSeconds"), sleep+shutDownTakes, name)
		checkPorts(t, c, all["Service"], labels)
		checkSecrets(t, c, file, page)
		volumes := map[string]string{} // the claims of volumes, by name
		for _, v := range items(pod, "volumes") {
			volumes[text(v, "name")] = text(v, "persistentVolumeClaim.claimName")
		}
		serve := serveFlags(t, arguments(c, "args"), environment(c))
		require.NotEmpty(t, trusted(t, serve))
		require.Equal(t, "https", publicAt(t, serve).Scheme)
		database, err := serve.GetString("db")
		require.NoError(t, err)
		kept := 0 // mounts of a volume that stays
		for _, m := range items(c, "volumeMounts") {
			require.Contains(t, volumes, text(m, "name"), name)
			if claim := volumes[text(m, "name")]; claim != "" {
				kept++
				require.Equal(t, text(all["PersistentVolumeClaim"], "metadata.name"), claim)
				require.Equal(t, []string{instructions(t)["VOLUME"], instructions(t)["VOLUME"]}, []string{text(m, "mountPath"), filepath.Dir(database)})
			}
		}
		if replicas == 1 {
			require.Equal(t, 1, kept, "the database stays")
			require.Equal(t, "Recreate", text(deployment, "spec.strategy.type"))
			continue
		}
		require.Equal(t, "10.0.0.5", replicaAt(t, serve).Hostname(), "the address of the pod")
		require.Equal(t, "RollingUpdate", text(deployment, "spec.strategy.type"))
		require.Positive(t, sleep)
		require.Equal(t, labels, in(all["PodDisruptionBudget"], "spec.selector.matchLabels"))
		require.Less(t, in(all["PodDisruptionBudget"], "spec.minAvailable"), uint64(replicas), "a node can be drained")
	}
}

// manifests are the objects of a file, by kind; there is one of each.
func manifests(t *testing.T, file string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for decoder := yaml.NewDecoder(strings.NewReader(file)); ; {
		var m map[string]any
		err := decoder.Decode(&m)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		require.NotContains(t, all, text(m, "kind"))
		all[text(m, "kind")] = m
	}
}

// checkPorts holds the probes and the service to the port of a container, and that to the image.
func checkPorts(t *testing.T, c, service, labels any) {
	t.Helper()
	require.Equal(t, "registry.example/cabrank:1", text(c, "image"))
	require.Nil(t, in(c, "command"), "the image has one")
	require.Len(t, items(c, "ports"), 1)
	require.Equal(t, instructions(t)["EXPOSE"], text(c, "ports.0.containerPort"))
	port := text(c, "ports.0.name")
	for probe, path := range map[string]string{"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"} {
		require.Equal(t, []string{path, port}, []string{text(c, probe+".httpGet.path"), text(c, probe+".httpGet.port")})
	}
	require.Equal(t, labels, in(service, "spec.selector"))
	require.Len(t, items(service, "spec.ports"), 1)
	require.Equal(t, port, text(service, "spec.ports.0.targetPort"))
}

// checkSecrets finds each key of a secret in the command that makes it, in the file and on the
// page.
func checkSecrets(t *testing.T, c any, file, page string) {
	t.Helper()
	for _, e := range items(c, "env") {
		secret := text(e, "valueFrom.secretKeyRef.name")
		switch {
		case text(e, "value") != "":
		case secret == "":
			require.Equal(t, "status.podIP", text(e, "valueFrom.fieldRef.fieldPath"), e)
		default:
			for _, where := range []string{file, page} {
				require.Contains(t, where, "kubectl create secret generic "+secret+" ")
				require.Contains(t, where, "--from-literal="+text(e, "valueFrom.secretKeyRef.key")+"=")
			}
		}
	}
}

// environment is that of a container, with values that its references may have.
func environment(c any) map[string]string {
	all := map[string]string{}
	for _, e := range items(c, "env") {
		name := text(e, "name")
		switch {
		case text(e, "value") != "":
			all[name] = text(e, "value")
		case in(e, "valueFrom.fieldRef") != nil:
			all[name] = "10.0.0.5"
		case name == "CABRANK_SERVE_DB":
			all[name] = "postgres://cabrank@db.example/cabrank"
		default:
			all[name] = "a-token-of-the-server"
		}
	}
	return all
}
