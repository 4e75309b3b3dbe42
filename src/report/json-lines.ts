// -o jsonl: the same as -o json, a line for each part of it, written when it is known: the plan, each object that was looked at, each
// action when it is answered, the result. For logs: a process that is killed has told what it did, and a log that loses its oldest
// lines, as the kubelet's does at 10 MiB, keeps the others whole.

import { apiVersion } from '../model/api-version.ts';
import { given } from '../model/given.ts';
import type { Plan } from '../model/plan.ts';
import { toAction } from './document-actions.ts';
import { toFindings, toHead, toOthers, toRest } from './document-plan.ts';
import { Ending } from './document-result.ts';
import type { Renderer } from './renderer.ts';
import { textRenderer } from './text.ts';

export function jsonLinesRenderer(asks: boolean): Renderer {
  const text = textRenderer({ wide: false, asks });
  const ending = new Ending();
  return {
    on: event => {
      ending.add(event);
      const action = toAction(event);
      const { err, status } = text.on(event);
      if (event.type === 'plan') {
        const lines = planLines(event.plan).map(toLine);
        return { out: lines, ...given({ err: asks ? err : undefined }) };
      }
      return given({ out: action === undefined ? undefined : [toLine({ action })], err, status });
    },
    end: (tally, exitCode, refusal) => {
      const { err } = text.end(tally, exitCode, refusal);
      const result = { apiVersion, ...ending.toResult(tally, exitCode, refusal) };
      return { out: [toLine({ result })], ...given({ err }) };
    },
  };
}

/** A line of its own for each entry: the lines of a log have a limit, 16 KiB where a runtime writes it. */
function planLines(plan: Plan): object[] {
  const [field, others] = toOthers(plan);
  return [
    { plan: { apiVersion, ...toHead(plan), ...toRest(plan) } },
    ...toFindings(plan).map(finding => ({ finding })),
    ...others.map(other => ({ [one[field]]: other })),
  ];
}

const one = { dependents: 'dependent', follows: 'follow', writes: 'write' } as const;

const toLine = (what: object): string => JSON.stringify(what);
