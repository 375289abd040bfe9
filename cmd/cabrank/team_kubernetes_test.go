package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/cabrank/cabrank/cmd/cabrank/clitest"
)

// TestTeamKubernetesFiles holds the files for Kubernetes to the program, to the Dockerfile and
// to each other.
func TestTeamKubernetesFiles(t *testing.T) {
	page := clitest.Read(t, "docs/team.md")
	for name, replicas := range map[string]int{"kubernetes-one.yaml": 1, "kubernetes-postgres.yaml": 3} {
		text := clitest.Read(t, filepath.Join(teamFiles, name))
		all := manifests(t, text)
		deployment := all["Deployment"]
		require.Equal(t, replicas, deployment.Spec.Replicas, name)
		labels := deployment.Spec.Template.Metadata.Labels
		require.Equal(t, labels, deployment.Spec.Selector["matchLabels"], name)
		pod := deployment.Spec.Template.Spec
		require.Equal(t, instructions(t)["USER"], fmt.Sprintf("%d:%d", pod.SecurityContext["runAsUser"], pod.SecurityContext["runAsGroup"]), name)
		require.Len(t, pod.Containers, 1)
		c := pod.Containers[0]
		require.GreaterOrEqual(t, pod.TerminationGracePeriodSeconds, c.Lifecycle.PreStop.Sleep.Seconds+shutDownTakes, name)
		c.checkPorts(t, all["Service"], labels)
		c.checkSecrets(t, text, page)
		for _, m := range c.VolumeMounts {
			require.True(t, slices.ContainsFunc(pod.Volumes, func(v podVolume) bool { return v.Name == m.Name }), "%s: %s", name, m.Name)
		}
		serve := serveFlags(t, c.Args, c.environment())
		require.NotEmpty(t, trusted(t, serve))
		require.Equal(t, "https", publicAt(t, serve).Scheme)
		if replicas == 1 {
			c.checkVolume(t, &pod, all["PersistentVolumeClaim"], serve)
			require.Equal(t, "Recreate", deployment.Spec.Strategy.Type)
			continue
		}
		require.Equal(t, "10.0.0.5", replicaAt(t, serve).Hostname(), "the address of the pod")
		require.Equal(t, "RollingUpdate", deployment.Spec.Strategy.Type)
		require.Positive(t, c.Lifecycle.PreStop.Sleep.Seconds)
		budget := all["PodDisruptionBudget"].Spec
		require.Equal(t, labels, budget.Selector["matchLabels"])
		require.Less(t, budget.MinAvailable, replicas, "a node can be drained")
	}
}

// manifest is what the tests read of an object of Kubernetes.
type manifest struct {
	Kind     string   `yaml:"kind"`
	Metadata metadata `yaml:"metadata"`
	Spec     struct {
		Replicas     int                   `yaml:"replicas"`
		MinAvailable int                   `yaml:"minAvailable"`
		Selector     map[string]any        `yaml:"selector"`
		Strategy     struct{ Type string } `yaml:"strategy"`
		Ports        []struct {
			TargetPort string `yaml:"targetPort"`
		} `yaml:"ports"`
		Template struct {
			Metadata metadata `yaml:"metadata"`
			Spec     podSpec  `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

type metadata struct {
	Name   string         `yaml:"name"`
	Labels map[string]any `yaml:"labels"`
}

type podSpec struct {
	TerminationGracePeriodSeconds int            `yaml:"terminationGracePeriodSeconds"`
	SecurityContext               map[string]any `yaml:"securityContext"`
	Containers                    []container    `yaml:"containers"`
	Volumes                       []podVolume    `yaml:"volumes"`
}

type podVolume struct {
	Name  string `yaml:"name"`
	Claim struct {
		Name string `yaml:"claimName"`
	} `yaml:"persistentVolumeClaim"`
}

type container struct {
	Image   string   `yaml:"image"`
	Command []string `yaml:"command"`
	Args    []string `yaml:"args"`
	Env     []struct {
		Name  string `yaml:"name"`
		Value string `yaml:"value"`
		From  struct {
			Secret struct{ Name, Key string } `yaml:"secretKeyRef"`
			Field  struct {
				Path string `yaml:"fieldPath"`
			} `yaml:"fieldRef"`
		} `yaml:"valueFrom"`
	} `yaml:"env"`
	Ports []struct {
		Name string `yaml:"name"`
		Port string `yaml:"containerPort"`
	} `yaml:"ports"`
	Startup   probe `yaml:"startupProbe"`
	Readiness probe `yaml:"readinessProbe"`
	Liveness  probe `yaml:"livenessProbe"`
	Lifecycle struct {
		PreStop struct {
			Sleep struct{ Seconds int } `yaml:"sleep"`
		} `yaml:"preStop"`
	} `yaml:"lifecycle"`
	VolumeMounts []struct {
		Name string `yaml:"name"`
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type probe struct {
	HTTPGet struct{ Path, Port string } `yaml:"httpGet"`
}

// manifests are the objects of a file, by kind; there is one of each.
func manifests(t *testing.T, text string) map[string]*manifest {
	t.Helper()
	all := map[string]*manifest{}
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		m := &manifest{}
		err := decoder.Decode(m)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		require.NotContains(t, all, m.Kind)
		all[m.Kind] = m
	}
}

// checkPorts holds the probes and the service to the port of a container, and that to the image.
func (c *container) checkPorts(t *testing.T, service *manifest, labels map[string]any) {
	t.Helper()
	require.Equal(t, "registry.example/cabrank:1", c.Image)
	require.Empty(t, c.Command, "the image has one")
	require.Len(t, c.Ports, 1)
	require.Equal(t, instructions(t)["EXPOSE"], c.Ports[0].Port)
	for path, p := range map[string][]probe{"/livez": {c.Startup, c.Liveness}, "/readyz": {c.Readiness}} {
		for _, one := range p {
			require.Equal(t, []string{path, c.Ports[0].Name}, []string{one.HTTPGet.Path, one.HTTPGet.Port})
		}
	}
	require.Equal(t, labels, service.Spec.Selector)
	require.Len(t, service.Spec.Ports, 1)
	require.Equal(t, c.Ports[0].Name, service.Spec.Ports[0].TargetPort)
}

// checkSecrets finds each key of a secret in the command that makes it, in the file and on the
// page.
func (c *container) checkSecrets(t *testing.T, file, page string) {
	t.Helper()
	for _, e := range c.Env {
		secret := e.From.Secret
		if e.Value != "" {
			continue
		}
		if secret.Name == "" {
			require.Equal(t, "status.podIP", e.From.Field.Path, e.Name)
			continue
		}
		for _, text := range []string{file, page} {
			require.Contains(t, text, "kubectl create secret generic "+secret.Name+" ")
			require.Contains(t, text, "--from-literal="+secret.Key+"=")
		}
	}
}

// checkVolume finds the database of a container in a volume that stays.
func (c *container) checkVolume(t *testing.T, pod *podSpec, claim *manifest, serve *pflag.FlagSet) {
	t.Helper()
	database, err := serve.GetString("db")
	require.NoError(t, err)
	require.Equal(t, instructions(t)["VOLUME"], filepath.Dir(database))
	at := slices.IndexFunc(pod.Volumes, func(v podVolume) bool { return v.Claim.Name != "" })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, claim.Metadata.Name, pod.Volumes[at].Claim.Name)
	for _, m := range c.VolumeMounts {
		if m.Name == pod.Volumes[at].Name {
			require.Equal(t, instructions(t)["VOLUME"], m.Path)
		}
	}
}

// environment is that of a container, with values that its references may have.
func (c *container) environment() map[string]string {
	all := map[string]string{}
	for _, e := range c.Env {
		switch {
		case e.Value != "":
			all[e.Name] = e.Value
		case e.From.Field.Path != "":
			all[e.Name] = "10.0.0.5"
		case e.Name == "CABRANK_SERVE_DB":
			all[e.Name] = "postgres://cabrank@db.example/cabrank"
		default:
			all[e.Name] = "a-token-of-the-server"
		}
	}
	return all
}
