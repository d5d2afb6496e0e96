import { acknowledgePanic, listPresentPanics, pressPanic } from "@rollcall/server/contract/panic";
import type { CommandContext } from "#core/pages.ts";
import { api } from "#core/services.ts";

/** The bar above the page shows it, with the time to cancel. */
export async function pressByCommand(): Promise<void> {
  await api.call(pressPanic);
}

/** All that ring for the own job; without one, the history opens. */
export async function acknowledgeByCommand({ go }: CommandContext): Promise<void> {
  const { items } = await api.call(listPresentPanics);
  const ringing = items.filter(({ rings }) => rings);
  for (const { id } of ringing) await api.call(acknowledgePanic, { params: { id } });
  go(ringing.length === 0 ? "/panic" : `/panic/${ringing[0]!.id}`);
}
