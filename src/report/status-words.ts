// Every sentence of `status`, by the code of its finding. `of`: it is about one object, which is named before it.
import type { Facts } from '../model/facts.ts';
import type { Hold } from '../model/hold.ts';
import { restsOnAbsence } from '../model/hold.ts';
import type { StatusCode } from '../model/status.ts';
import { age } from './age.ts';
import { plural } from './counted.ts';
import { has, number, text } from './fact.ts';
import { holdWords } from './hold-words.ts';
import { keptWords } from './override-words.ts';

type Say = (facts: Facts) => string;

const ago = (facts: Facts): string => `${age(number(facts, 'sinceMs'))} ago`;
const because = (facts: Facts, name: string): string => (has(facts, name) ? ` (${text(facts, name)})` : '');

export const statusWords: Record<Exclude<StatusCode, 'stuck'>, { readonly of: 'one' | 'all'; say: Say }> = {
  stopped: {
    of: 'one',
    say: f =>
      `stopped by ${text(f, 'by')} ${ago(f)}${because(f, 'reason')}${has(f, 'lifted') ? '; its history limits are lifted' : ''}`,
  },
  suspended: { of: 'one', say: () => 'suspended, not by a stop of this tool' },
  'stop-undone': {
    of: 'one',
    say: f =>
      `runs again, and what the stop by ${text(f, 'by')} ${ago(f)}${because(f, 'reason')} has changed was not given back`,
  },
  'never-runs': {
    of: 'one',
    say: f =>
      f['why'] === 'schedule-unreadable'
        ? `its schedule "${text(f, 'schedule')}" cannot be read, no run will start`
        : 'no run will start: its schedule and startingDeadlineSeconds leave no time for one',
  },
  'beyond-retention': {
    of: 'all',
    say: f =>
      `${plural(number(f, 'count'), 'finished Job')} beyond retention${has(f, 'owners') ? `: ${text(f, 'owners')}` : ''}${number(f, 'more') > 0 ? ` and of ${plural(number(f, 'more'), 'more owner')}` : ''}`,
  },
  'failed-last': {
    of: 'one',
    say: f =>
      `failed ${ago(f)}${because(f, 'reason')}${has(f, 'owner') ? `, the newest of ${text(f, 'owner')} that ended` : ''}`,
  },
  'failed-before': {
    of: 'one',
    say: f => `failed ${ago(f)}${because(f, 'reason')}; a later run of ${text(f, 'owner')} has ended`,
  },
  'never-started': {
    of: 'all',
    say: f =>
      number(f, 'count') === 1
        ? `${text(f, 'job')} never started a Pod, it was made ${ago(f)}`
        : `${f['count']} Jobs${has(f, 'owner') ? ` of ${text(f, 'owner')}` : ''} never started a Pod; the oldest is ${text(f, 'job')}, made ${ago(f)}`,
  },
  idle: {
    of: 'one',
    say: f => `unfinished, with nothing active for ${age(number(f, 'sinceMs'))}`,
  },
  'no-parallelism': { of: 'one', say: () => 'unfinished, and starts no Pod: its parallelism is 0' },
  'half-stopped': {
    of: 'one',
    say: f =>
      `${number(f, 'active') > 0 ? 'still runs' : 'unfinished'}: the stop by ${text(f, 'by')} ${ago(f)} has not ended it; go on with it, or undo it`,
  },
  'stopped-jobs': {
    of: 'all',
    say: f =>
      number(f, 'count') === 1
        ? `${text(f, 'job')} is kept as a stop has left it`
        : `${f['count']} Jobs are kept as a stop has left them`,
  },
  'leaked-finished': {
    of: 'all',
    say: f => `${plural(number(f, 'count'), 'finished Pod')} of ${goneJobs(f)}`,
  },
  'leaked-running': {
    of: 'all',
    say: f =>
      `${plural(number(f, 'count'), 'unfinished Pod')} of ${goneJobs(f)}: nothing will end ${number(f, 'count') === 1 ? 'it' : 'them'}`,
  },
  'leaked-kept': {
    of: 'all',
    say: f =>
      `${plural(number(f, 'count'), 'Pod')} of ${goneJobs(f)}, left alone as ${number(f, 'count') === 1 ? 'it asks' : 'they ask'}: ${keptWords(f)}`,
  },
  'owner-gone': {
    of: 'all',
    say: f => {
      const isOne = number(f, 'count') === 1;
      const who = isOne
        ? `${text(f, 'object')} names`
        : `${plural(number(f, 'count'), text(f, 'kind'))} name`;
      if (has(f, 'beside'))
        return `${who} ${text(f, 'owner')} as an owner, which is not in this namespace: ${drops(f)}`;
      const owner = `${text(f, 'owner')} as ${isOne ? 'its' : 'their'} owner, which`;
      const it = isOne ? 'it' : 'them';
      return has(f, 'sinceMs')
        ? `${who} ${owner} has not been in this namespace for ${age(number(f, 'sinceMs'))}: the garbage collector should have deleted ${it}, and is slow, stuck or off`
        : `${who} ${owner} is not in this namespace: the garbage collector is about to delete ${it}`;
    },
  },
  'owner-in-other-namespace': {
    of: 'one',
    say: f =>
      has(f, 'beside')
        ? `names ${text(f, 'owner')} of namespace ${text(f, 'other')} as an owner, which is invalid: ${drops(f)}`
        : `names ${text(f, 'owner')} of namespace ${text(f, 'other')} as its owner, which is invalid: the garbage collector may delete it at any time`,
  },
};

const drops = (facts: Facts): string =>
  `while ${text(facts, 'beside')} is there the garbage collector only drops that reference`;

const goneJobs = (facts: Facts): string =>
  number(facts, 'jobs') === 1
    ? `job/${text(facts, 'job')}, which is gone`
    : `${facts['jobs']} Jobs that are gone`;

/** What holds it, as far as lists of Jobs and Pods tell; who should end that is asked by `unstick`. */
export function stuckWords(facts: Facts, hold: Hold | undefined): string {
  const since = `stuck for ${age(number(facts, 'sinceMs'))}`;
  if (hold === undefined) return since;
  const { finalizer, cause } = hold;
  if (cause === 'node-unknown' || cause === 'nothing-holds')
    return `${since}: ${has(hold.facts, 'node') ? `the kubelet of node ${text(hold.facts, 'node')} has not ended it` : 'no finalizer holds it'}`;
  if (restsOnAbsence.has(cause) || cause === 'dependents-unknown') return `${since}: held by ${finalizer}`;
  return `${since}: held by ${finalizer}: ${holdWords[cause].why(hold.facts, finalizer)}`;
}
