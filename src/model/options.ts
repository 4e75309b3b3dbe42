// What the user asked for: one type per verb, parsed and checked at the edge. Times are milliseconds, grace periods seconds.
import type { PropagationPolicy } from './delete-action.ts';

export type DryRun = 'none' | 'client' | 'server';
export type StatusForm = 'text' | 'wide' | 'name' | 'json' | 'yaml';
export type OutputForm = StatusForm | 'jsonl';

export interface Where {
  /** Whether -n was given, rather than taken from the context. */
  readonly namespaceGiven: boolean;
  readonly allNamespaces: boolean;
}

export interface Which {
  readonly selector?: string;
  readonly fieldSelector?: string;
}

export interface Safety {
  readonly dryRun: DryRun;
  readonly yes: boolean;
  readonly interactive: boolean;
  /** Refuse a plan that deletes more objects than this. */
  readonly max?: number;
  /** Go on only if the plan has this digest. */
  readonly confirm?: string;
  readonly includeProtected: boolean;
  /** How many writes are under way at once. */
  readonly concurrency: number;
}

interface Limit {
  /** 0: no limit. Absent: the plan's own estimate. */
  readonly timeoutMs?: number;
}

export interface Waiting extends Limit {
  readonly wait: boolean;
}

interface Reached {
  /** The connection flags that were given, as words: the commands that are shown go to the same cluster as the same user. */
  readonly reach: readonly string[];
}

interface EveryVerb extends Where, Which, Safety, Reached {
  /** Nothing but what is for programs. */
  readonly quiet: boolean;
  readonly output: OutputForm;
}

/** What to delete, in the user's words; kinds are resolved against discovery later. */
export type TargetWords =
  | { readonly by: 'name'; readonly targets: readonly { readonly type: string; readonly name: string }[] }
  /** One word without a slash: a Job of that name, unless it spells a kind. */
  | { readonly by: 'bare-name'; readonly word: string }
  | { readonly by: 'selection'; readonly types: readonly string[]; readonly all: boolean }
  | { readonly by: 'files'; readonly files: readonly string[]; readonly recursive: boolean };

export interface DeleteOptions extends EveryVerb, Waiting {
  readonly verb: 'delete';
  readonly words: TargetWords;
  readonly propagation: PropagationPolicy;
  readonly graceSeconds?: number;
  readonly force: boolean;
  readonly ignoreNotFound: boolean;
}

export interface PruneJobsOptions extends EveryVerb, Waiting {
  readonly verb: 'prune jobs';
  readonly keepSucceeded?: number;
  readonly keepFailed?: number;
  readonly succeededOlderThanMs?: number;
  readonly failedOlderThanMs?: number;
  /** Age since creation after which a Job that never started a Pod goes too. */
  readonly neverStartedOlderThanMs?: number;
  readonly owner?: { readonly type: string; readonly name: string };
  readonly standalone: boolean;
  readonly groupBy?: string;
  readonly reasons: readonly string[];
  readonly includeHooks: boolean;
  readonly skipManual: boolean;
  readonly shard?: { readonly index: number; readonly of: number };
}

export interface PrunePodsOptions extends EveryVerb, Waiting {
  readonly verb: 'prune pods';
  /** Age since the end; of a Pod that still runs, since its start. */
  readonly olderThanMs?: number;
  readonly includeRunning: boolean;
}

export interface UnstickOptions extends EveryVerb, Waiting {
  readonly verb: 'unstick';
  readonly words: StuckWords;
  /** Finalizers that may be removed by name. */
  readonly finalizers: readonly string[];
  readonly allFinalizers: boolean;
  /** How long beyond its grace period an object is terminating before it counts as stuck. */
  readonly stuckForMs: number;
  /** Empty a Namespace's spec.finalizers, whatever is still in it. */
  readonly forceFinalize: boolean;
}

/** Which stuck objects are meant. Without words, or with kinds alone: whatever is terminating. */
export type StuckWords =
  | { readonly by: 'name'; readonly targets: readonly { readonly type: string; readonly name: string }[] }
  /** One word: a kind, or else a Job of that name. */
  | { readonly by: 'one-word'; readonly word: string }
  | { readonly by: 'scan'; readonly types: readonly string[] };

export interface StopOptions extends EveryVerb, Limit {
  readonly verb: 'stop';
  readonly words: SourceWords;
  readonly reason?: string;
  /** Make no more Jobs; what runs goes on. */
  readonly suspendOnly: boolean;
  /** The folder for evidence; absent: a new one. */
  readonly saveDir?: string;
  readonly noSave: boolean;
  readonly ignoreSaveErrors: boolean;
}

export interface ResumeOptions extends EveryVerb {
  readonly verb: 'resume';
  readonly words: SourceWords;
  readonly runNow: boolean;
  readonly skipMissed: boolean;
  /** Stopped Jobs lose their shield: TTL and limits are given back. */
  readonly releaseEvidence: boolean;
}

/** CronJobs, ScaledJobs and Jobs, in the user's words. */
export type SourceWords =
  | { readonly by: 'name'; readonly targets: readonly { readonly type: string; readonly name: string }[] }
  /** One word without a slash: a Job of that name, unless it spells a kind. */
  | { readonly by: 'bare-name'; readonly word: string }
  /** `types` empty: all three kinds. */
  | { readonly by: 'selection'; readonly types: readonly string[] }
  /** `resume` alone: what is stopped is listed. */
  | { readonly by: 'nothing' };

export interface StatusOptions extends Where, Reached {
  readonly verb: 'status';
  readonly output: StatusForm;
  /** Look again every few seconds, until Ctrl-C. */
  readonly watch: boolean;
}

export type WritingOptions =
  | DeleteOptions
  | PruneJobsOptions
  | PrunePodsOptions
  | UnstickOptions
  | StopOptions
  | ResumeOptions;

export type Options = WritingOptions | StatusOptions;
