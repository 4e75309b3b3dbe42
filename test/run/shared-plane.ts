// The one control plane that the tests of a run share.
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts';
import { descriptionIn } from '../cluster/description.ts';
import { GoUnusable } from '../cluster/go-build.ts';
import { say } from '../cluster/progress.ts';

export type SharedPlane =
  | { readonly state: 'running'; readonly plane: ControlPlane; readonly seconds: number }
  /** There is nothing here to build it with; a reason to skip, but not in CI. */
  | { readonly state: 'impossible'; readonly why: string }
  | { readonly state: 'broken'; readonly error: unknown };

export async function startSharedPlane(version?: string): Promise<SharedPlane> {
  const started = Date.now();
  try {
    say('starting a control plane ...');
    const plane = await startControlPlane(version === undefined ? {} : { version });
    say(`control plane ${plane.version} is up after ${Math.round((Date.now() - started) / 1000)} s`);
    // Test files are processes of their own and inherit this.
    process.env['JOBCTL_TEST_CLUSTER'] = descriptionIn(plane.dir);
    return { state: 'running', plane, seconds: (Date.now() - started) / 1000 };
  } catch (error) {
    if (error instanceof GoUnusable && process.env['CI'] !== 'true')
      return { state: 'impossible', why: error.message };
    return { state: 'broken', error };
  }
}

export async function stopSharedPlane(shared: SharedPlane): Promise<void> {
  delete process.env['JOBCTL_TEST_CLUSTER'];
  if (shared.state === 'running') await shared.plane.stop();
}
