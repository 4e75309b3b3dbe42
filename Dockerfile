# The image that deploy/ runs: the binary of a release and what it is linked to, nothing else. It has no shell.
#
#   npm run package
#   docker buildx build --platform linux/amd64,linux/arm64 --tag REGISTRY/kubectl-jobctl:VERSION --push .
#
# The base brings glibc, libstdc++ and libgcc, which Node needs, and a user who is not root.
ARG BASE=gcr.io/distroless/cc-debian12:nonroot

FROM scratch AS archive
ARG TARGETARCH
# ADD unpacks it
ADD dist/kubectl-jobctl-linux-${TARGETARCH}.tar.gz /

FROM ${BASE}
COPY --from=archive /kubectl-jobctl /usr/local/bin/kubectl-jobctl
COPY --from=archive /LICENSE /THIRD_PARTY_LICENSES.txt /licenses/
# 65532 is nonroot. As a number, so that the kubelet can check runAsNonRoot without the image's list of users.
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kubectl-jobctl"]
