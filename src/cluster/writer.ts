// Every way in which we change a cluster: a few methods. A delete always carries its policy and uid, in the body: where there is a
// body, any body, the server ignores the query. A patch is always a JSON merge patch pinned by resourceVersion.
import type { DeleteAction } from '../model/delete-action.ts';
import type { Ref } from '../model/ref.ts';
import { metadataOnly } from './accept.ts';
import { fieldsOf, toObjectMeta } from './adapt-meta.ts';
import type { ClusterWriter, Written } from './contract.ts';
import { createJobFrom } from './create-job.ts';
import { finalizeNamespace } from './finalize.ts';
import { malformed } from './pages.ts';
import { pathOf, withQuery } from './path.ts';
import { recordEvent } from './record-event.ts';
import { refusedWrite } from './refused-write.ts';
import type { Answer } from './request.ts';
import type { Transport } from './transport.ts';

/** `dryRun`: every call is marked dryRun=All, so that the server checks and changes nothing. */
export function writerOf(transport: Transport, dryRun: boolean): ClusterWriter {
  return {
    deleteObject: async action => {
      const { target } = action;
      const sent = await transport.send({
        method: 'DELETE',
        path: pathOf(target.kind, target.namespace, target.name),
        body: JSON.stringify(deleteOptions(action, dryRun)),
        contentType: 'application/json',
        // pinned by uid: a second arrival finds nothing, or another object that it must not touch; pinned by version too, its own conflict
        repeatable: true,
      });
      return 'problem' in sent
        ? { state: 'failed', problem: sent.problem }
        : deleted(sent.answer, target, dryRun);
    },
    patchObject: async (target, patch, subresource) => {
      const sent = await transport.send({
        method: 'PATCH',
        path: withQuery(patchPath(target, subresource), {
          dryRun: dryRun ? 'All' : undefined,
        }),
        body: JSON.stringify(pinned(patch, target)),
        accept: metadataOnly,
        contentType: 'application/merge-patch+json',
        // pinned by its version: a second arrival meets a conflict, or an object that is gone
        repeatable: true,
        onlyIfBroken: true,
      });
      return 'problem' in sent ? { state: 'failed', problem: sent.problem } : patched(sent.answer, target);
    },
    createJobFrom: (source, name) => createJobFrom(transport, source, name, dryRun),
    finalizeNamespace: target => finalizeNamespace(transport, target, dryRun),
    recordEvent: note => recordEvent(transport, note, dryRun),
  };
}

const patchPath = ({ kind, namespace, name }: Ref, subresource?: string): string =>
  pathOf(kind, namespace, name) + (subresource === undefined ? '' : `/${subresource}`);

function deleteOptions({ target, propagation, pin, graceSeconds }: DeleteAction, dryRun: boolean): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy: propagation,
    preconditions: {
      uid: target.uid,
      ...(pin === 'version' ? { resourceVersion: target.resourceVersion } : {}),
    },
    ...(graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}

function pinned(patch: Readonly<Record<string, unknown>>, { resourceVersion }: Ref): object {
  return { ...patch, metadata: { ...fieldsOf(patch['metadata']), resourceVersion } };
}

/** 200 with a Status: gone. 200 with the object: let go at once, or held by finalizers or its grace period. */
function deleted(answer: Answer, target: Ref, dryRun: boolean): Written {
  if (answer.status >= 300) return refusedWrite(answer, target, { state: 'gone' });
  if (dryRun) return { state: 'done' };
  try {
    const shown = fieldsOf(JSON.parse(answer.body));
    if (shown['kind'] === 'Status') return { state: 'gone' };
    const object = toObjectMeta(target.kind, shown);
    // a Namespace has neither finalizers in its metadata nor a grace period, and is there until its contents are gone
    const isLetGo = object.finalizers.length === 0 && object.deletionGraceSeconds === 0;
    const isHeld = object.deletingSince !== undefined && !isLetGo;
    return isHeld ? { state: 'held', object } : { state: 'gone' };
  } catch (problem) {
    return { state: 'failed', problem: malformed(problem) };
  }
}

function patched(answer: Answer, target: Ref): Written {
  if (answer.status >= 300) return refusedWrite(answer, target, { state: 'done' });
  try {
    return { state: 'done', object: toObjectMeta(target.kind, JSON.parse(answer.body)) };
  } catch {
    // accepted, by a server that does not show the object: a look at it will tell
    return { state: 'done' };
  }
}
