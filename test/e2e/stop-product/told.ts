// What the command itself says of a stop: the parts of its JSON document that are compared with what is there.
interface Action {
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly state: string;
  readonly does?: string;
  readonly foretold?: boolean;
  readonly problem?: { readonly code: string; readonly text?: string };
}

interface Result {
  readonly exitCode: number;
  readonly findings: readonly { readonly uid: string }[];
  readonly actions: readonly Action[];
  readonly remaining: readonly { readonly kind: string; readonly name: string; readonly code: string }[];
  readonly summary: Readonly<Record<string, number>>;
}

export interface Told {
  readonly code: number | null;
  readonly stderr: string;
  /** Absent where the command wrote none. */
  readonly result?: Result;
  /** Uids of Pods and Jobs that it says were made meanwhile. */
  readonly appeared: ReadonlySet<string>;
  /** What it says is lost, and was not foretold. */
  readonly lost: readonly Action[];
  /** Writes that were refused. */
  readonly failed: readonly Action[];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function readTold({ code, stdout, stderr }: Ended): Told {
  const result = stdout.startsWith('{') ? (JSON.parse(stdout) as Result) : undefined;
  const actions = result?.actions ?? [];
  const appeared = actions.filter(({ state }) => state === 'appeared');
  return {
    code,
    stderr,
    ...(result === undefined ? {} : { result }),
    appeared: new Set(appeared.flatMap(({ uid }) => uid ?? [])),
    lost: actions.filter(({ state, foretold }) => state === 'lost' && foretold !== true),
    failed: actions.filter(({ state }) => state === 'failed'),
  };
}
