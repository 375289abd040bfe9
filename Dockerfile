# A static binary and nothing else: no shell, no libc, no package manager.
#
#   docker build -t cabrank . && docker run --rm -p 127.0.0.1:8080:8080 -v cabrank:/data cabrank
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=1.2.3 -t cabrank .
#
# A release has a folder with a Dockerfile of its own, which copies its binaries in place of
# compiling them, and is the same from "The folder /data" on (.ci/release).
#
# The compiler runs on the machine that builds, whatever the platform of the image is.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev COMMIT DATE TARGETOS TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -tags nomsgpack \
    -ldflags "-s -w -X github.com/cabrank/cabrank/cmd/cabrank/cli.version=${VERSION} -X github.com/cabrank/cabrank/cmd/cabrank/cli.commit=${COMMIT} -X github.com/cabrank/cabrank/cmd/cabrank/cli.date=${DATE}" \
    -o /image/cabrank ./cmd/cabrank
# The folder /data may be written by any user, so that "docker run --user" can choose one.
RUN mkdir -p /image/etc/ssl/certs /owned \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
 && cp cmd/cabrank/notices/notices.txt /image/LICENSES \
 && mkdir -m 1777 /image/tmp \
 && mkdir -m 0777 /owned/data

FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="cabrank" \
      org.opencontainers.image.description="A dispatch system for bookable taxis, and the suite that judges yours" \
      org.opencontainers.image.source="https://github.com/cabrank/cabrank" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
# Folders within a copied folder keep their modes.
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /owned /
USER 65532:65532
VOLUME /data
EXPOSE 8080
# "ready" asks where the variables below say that it is served. Until the first answer a failure
# does not count for five minutes: a large town takes a while, and "check" serves nothing and
# should not be called unhealthy.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m CMD ["/cabrank", "ready"]
# In the environment rather than as flags, so that "docker run -e" can change them.
ENV CABRANK_SERVE_LISTEN=0.0.0.0:8080 CABRANK_SERVE_DB=/data/cabrank.db CABRANK_DEMO_LISTEN=0.0.0.0:8080
ENTRYPOINT ["/cabrank"]
CMD ["serve"]
