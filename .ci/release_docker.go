//go:build ignore

// The folder that "docker build" needs.

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// prebuilt stands in the place of the Dockerfile's compiler: the rest of its build stage and
// the image itself are the repository's own.
const prebuilt = `# Made by .ci/release: the image of the repository's Dockerfile, with the binaries beside this file.
#
#   docker build -t cabrank .
#   docker buildx build --platform linux/amd64,linux/arm64 -t cabrank .
FROM --platform=$BUILDPLATFORM alpine:3 AS build
WORKDIR /src
COPY notices.txt.gz cmd/cabrank/notices/
ARG TARGETARCH
COPY --chmod=755 linux-$TARGETARCH/cabrank /image/cabrank
`

// What the rest of the build stage begins with, and how the image's version is declared.
const (
	restOfBuild   = "# The folder /data may be written"
	anyVersion    = "\nARG VERSION=dev\n"
	noticesPacked = "cmd/cabrank/notices/notices.txt.gz"
)

// writeDocker writes the folder, if there is a binary for Linux.
func (r *release) writeDocker() error {
	files := map[string]string{"notices.txt.gz": noticesPacked}
	for _, platform := range r.platforms {
		if arch, ok := strings.CutPrefix(platform, "linux/"); ok {
			files["linux-"+arch+"/cabrank"] = filepath.Join(r.work, "linux-"+arch, "cabrank")
		}
	}
	if len(files) == 1 {
		return nil
	}
	dir := filepath.Join(r.out, "docker")
	for name, from := range files {
		if err := place(from, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	text, err := dockerfile(r.version)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(text), 0o644)
}

// dockerfile is the repository's Dockerfile with another beginning.
func dockerfile(version string) (string, error) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(text), restOfBuild)
	if !found || !strings.Contains(rest, anyVersion) {
		return "", errors.New("the Dockerfile has changed, and .ci/release_docker.go with it has to")
	}
	return prebuilt + restOfBuild + strings.Replace(rest, anyVersion, "\nARG VERSION="+version+"\n", 1), nil
}

// place copies a file, and makes its folder.
func place(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("folder of %s: %w", to, err)
	}
	mode := os.FileMode(0o644)
	if filepath.Base(to) == "cabrank" {
		mode = 0o755
	}
	return os.WriteFile(to, text, mode)
}
