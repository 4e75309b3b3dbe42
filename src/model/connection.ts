// How the user says which cluster to reach and as whom: the connection flags of `kubectl options`. Absent means not given.

export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly server?: string;
  readonly tlsServerName?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly certificateAuthority?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: string;
  readonly token?: string;
  readonly as?: string;
  readonly asGroups?: readonly string[];
  readonly asUid?: string;
  /** `key=value` texts. */
  readonly asUserExtra?: readonly string[];
  /** Absent or 0: our own deadline, because a request without one can wait for ever. */
  readonly requestTimeoutMs?: number;
  readonly disableCompression?: boolean;
  readonly warningsAsErrors?: boolean;
  /** From 1: each request is shown. */
  readonly verbosity: number;
}
