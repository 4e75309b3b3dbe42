// Kubeconfig and transport → a reader and, once a plan is agreed to, a writer.

import type { ConnectionOptions } from '../model/connection.ts';
import { given } from '../model/given.ts';
import type { ClusterReader, ClusterWriter } from './contract.ts';
import { findDestination } from './destination.ts';
import { pause } from './pause.ts';
import { readerOf } from './reader.ts';
import { Transport } from './transport.ts';
import { writerOf } from './writer.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onWarning: (text: string) => void;
  readonly onRequest: (line: string) => void;
  readonly version: string;
  /** Nobody is there who could answer a login's question or would wait: nothing is asked for twice. */
  readonly unattended?: boolean;
}

export interface Cluster {
  readonly reader: ClusterReader;
  readonly makeWriter: (dryRun: boolean) => ClusterWriter;
  /** Ends every connection, so that the process can end. */
  readonly close: () => Promise<void>;
}

/** Throws an EarlyEnd when the kubeconfig says nothing usable; the first request finds out whether the server is there. */
export function connect(options: ConnectionOptions, io: Io): Cluster {
  const to = findDestination(options, io.env);
  const transport = new Transport(to, options.requestTimeoutMs, {
    onWarning: io.onWarning,
    onRequest: io.onRequest,
    signal: io.signal,
    clock: { elapsedMs: () => performance.now(), random: Math.random },
    pause,
    userAgent: `kubectl-jobctl/${io.version}`,
    unattended: io.unattended === true,
  });
  const { context, server, namespace, userName } = to;
  const target = { server, namespace, ...given({ context, user: userName }) };
  return {
    reader: readerOf(transport, target),
    makeWriter: dryRun => writerOf(transport, dryRun),
    close: () => transport.close(),
  };
}
