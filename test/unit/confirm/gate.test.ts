// The whole truth table of the question: every combination, and what must never happen in any of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Gate, gate } from '../../../src/confirm/gate.ts';
import { given } from '../../../src/model/given.ts';
import type { DryRun, Safety } from '../../../src/model/options.ts';
import type { Danger, DeletePlan } from '../../../src/model/plan.ts';
import { planDelete } from '../../../src/plan/delete.ts';
import { aJob, complete, deleteOptions, deleteSnapshot, looked } from '../nouns.ts';

interface Row {
  readonly dryRun: DryRun;
  readonly yes: boolean;
  readonly cannotAsk: 'no-terminal' | 'quiet' | undefined;
  readonly dangers: readonly Danger[];
  readonly confirm: 'none' | 'right' | 'wrong';
  readonly actions: boolean;
  readonly refused: boolean;
  readonly denied: boolean;
  readonly tooMany: boolean;
}

const both = [false, true];
const rows: Row[] = [];
for (const dryRun of ['none', 'client', 'server'] as const)
  for (const yes of both)
    for (const cannotAsk of [undefined, 'no-terminal', 'quiet'] as const)
      for (const dangers of [[], ['running-work']] as Danger[][])
        for (const confirm of ['none', 'right', 'wrong'] as const)
          for (const actions of both)
            for (const refused of both)
              for (const denied of both)
                for (const tooMany of both)
                  rows.push({ dryRun, yes, cannotAsk, dangers, confirm, actions, refused, denied, tooMany });

function ask(row: Row): Gate {
  const target = looked.job(aJob('j', complete('1d'), row.refused ? { marks: ['jobctl-keep'] } : {}));
  const whole = planDelete(
    deleteSnapshot(row.actions || row.refused ? [target] : [], []),
    deleteOptions({ dryRun: row.dryRun }),
  );
  const plan: DeletePlan = { ...whole, dangers: row.dangers };
  const digests = { none: {}, right: { confirm: plan.digest }, wrong: { confirm: 'ffffffff' } };
  const safety: Safety = {
    ...deleteOptions({ dryRun: row.dryRun, yes: row.yes }),
    ...digests[row.confirm],
    ...(row.tooMany ? { max: 0 } : {}),
  };
  return gate(plan, safety, {
    ...given({ cannotAsk: row.cannotAsk }),
    denied: row.denied ? ['jobs.batch in batch'] : [],
  });
}

/** The rules, in the order in which they speak. */
function expected(row: Row): string {
  if (row.refused) return 'refuse targets-refused';
  if (row.confirm === 'wrong') return 'refuse plan-changed';
  if (!row.actions) return 'nothing-to-do';
  if (row.tooMany) return 'refuse too-many';
  if (row.denied) return 'refuse no-right';
  if (row.dryRun !== 'none' || row.yes || row.confirm === 'right') return 'go';
  if (row.cannotAsk !== undefined) return `refuse ${row.cannotAsk}`;
  return row.dangers.length === 0 ? 'ask-yes-or-no' : 'ask-word';
}

test(`the gate answers every one of the ${rows.length} combinations as its rules say`, () => {
  for (const row of rows) {
    const answer = ask(row);
    assert.equal(
      answer.gate === 'refuse' ? `refuse ${answer.code}` : answer.gate,
      expected(row),
      JSON.stringify(row),
    );
  }
});

test('without a terminal, --yes or a digest nothing is ever gone ahead with', () => {
  for (const row of rows.filter(
    row => row.dryRun === 'none' && row.cannotAsk !== undefined && !row.yes && row.confirm !== 'right',
  )) {
    assert.notEqual(ask(row).gate, 'go', JSON.stringify(row));
  }
});

test('--interactive without a terminal is refused, with --yes too: nothing was chosen', () => {
  const plan = planDelete(deleteSnapshot([looked.job(aJob('j', complete('1d')))], []), deleteOptions());
  const answer = gate(plan, deleteOptions({ interactive: true, yes: true }), {
    cannotAsk: 'no-terminal',
    denied: [],
  });
  assert.deepEqual(answer, { gate: 'refuse', code: 'no-terminal-to-choose-on', facts: {} });
});

test('the word to type is the namespace; under -A it is the context', () => {
  const base = planDelete(deleteSnapshot([looked.job(aJob('j', complete('1d')))], []), deleteOptions());
  const running: DeletePlan = { ...base, dangers: ['running-work'] };
  const now = { denied: [] };
  assert.deepEqual(gate(running, deleteOptions(), now), { gate: 'ask-word', word: 'batch' });
  assert.deepEqual(gate({ ...running, allNamespaces: true }, deleteOptions(), now), {
    gate: 'ask-word',
    word: 'prod',
  });
});
