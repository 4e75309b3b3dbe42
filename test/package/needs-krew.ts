// Whether krew can be had here: Go builds it. In CI nothing is a reason to do without.
import { GoUnusable } from '../cluster/go-build.ts';
import { krewBinaries } from '../cluster/krew/module.ts';

/** For a test's `skip`. */
export async function whyNoKrew(): Promise<string | false> {
  try {
    await krewBinaries();
    return false;
  } catch (error) {
    if (error instanceof GoUnusable && process.env['CI'] !== 'true') return error.message;
    throw error;
  }
}
