import { beginDuty, endDuty, getOwnDuty } from "@rollcall/server/contract/duty";
import type { CommandContext } from "#core/pages.ts";
import { api } from "#core/services.ts";

/** In the one job where that is possible. With several, or none, the page lets the person choose, or says why. */
export async function goOnDuty({ go }: CommandContext): Promise<void> {
  const { jobs, duty } = await api.call(getOwnDuty);
  const [first, ...others] = jobs.filter(({ mayBegin }) => mayBegin);
  if (duty === null && first !== undefined && others.length === 0) await api.call(beginDuty, { body: { job: first.job } });
  else go("/duty");
}

export async function goOffDuty(): Promise<void> {
  await api.call(endDuty);
}
