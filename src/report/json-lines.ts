// -o jsonl: the same as -o json, a line for each part of it, written when it is known: the plan, each object that was looked at, each
// action when it is answered, the result. For logs: a process that is killed has told what it did, and a log that loses its oldest
// lines, as the kubelet's does at 10 MiB, keeps the others whole.
import { given } from '../model/given.ts';
import { apiVersion } from './document.ts';
import { toAction } from './document-actions.ts';
import { toFindings, toHead, toRest } from './document-plan.ts';
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
        const { plan } = event;
        const about = { plan: { apiVersion, ...toHead(plan), ...toRest(plan) } };
        const lines = [about, ...toFindings(plan).map(finding => ({ finding }))].map(toLine);
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

const toLine = (what: object): string => JSON.stringify(what);
