// -o json and -o yaml: one document at the end, with a schema version. A change of its meaning is a new version.
import { stringify } from 'yaml';
import { apiVersion } from '../model/api-version.ts';
import { given } from '../model/given.ts';
import type { Plan } from '../model/plan.ts';
import { toAction } from './document-actions.ts';
import { toFindings, toHead, toOthers, toRest } from './document-plan.ts';
import { Ending } from './document-result.ts';
import type { Renderer } from './renderer.ts';
import { textRenderer } from './text.ts';

function toWhole(plan: Plan): object {
  const [field, others] = toOthers(plan);
  return { ...toHead(plan), findings: toFindings(plan), [field]: others, ...toRest(plan) };
}

export function documentRenderer(form: 'json' | 'yaml', asks: boolean): Renderer {
  const text = textRenderer({ wide: false, asks });
  const actions: object[] = [];
  const ending = new Ending();
  return {
    on: event => {
      const action = toAction(event);
      if (action !== undefined) actions.push(action);
      ending.add(event);
      const { err, status } = text.on(event);
      if (event.type === 'plan' && !asks) return {};
      return given({ err, status });
    },
    end: (tally, exitCode, refusal) => {
      const { err } = text.end(tally, exitCode, refusal);
      const { plan } = tally;
      const result = {
        apiVersion,
        kind: 'Result',
        ...(plan === undefined ? {} : toWhole(plan)),
        actions,
        ...ending.toResult(tally, exitCode, refusal),
      };
      const out = form === 'json' ? JSON.stringify(result, undefined, 2) : stringify(result).trimEnd();
      return { out: [out], ...given({ err }) };
    },
  };
}
