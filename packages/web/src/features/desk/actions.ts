import { useQueryClient } from "@tanstack/react-query";
import { offerUnits } from "@rollcall/server/contract/assignments";
import type { Unit } from "@rollcall/server/contract/units";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { readAgain } from "#features/assignments/assignments.api.ts";
import type { Call } from "#features/calls/calls.api.ts";

/** What the panes do to what they show. */
export interface DeskActions {
  open(call: number): void;
  /** Opens the choice of units. */
  ask(call: Call): void;
  /** Without asking: dragged there, or by a button. */
  assign(call: number, unit: number): void;
  newCall(): void;
}

/** Assigns a unit to a call; says what became of it. */
export function useAssign(units: readonly Unit[], announce: (said: string) => void) {
  const { t } = useText();
  const queries = useQueryClient();
  return async (call: number, unit: number) => {
    const name = units.find(({ id }) => id === unit)?.name ?? "";
    try {
      await api.call(offerUnits, { params: { id: call }, body: { unitIds: [unit], assign: true } });
      announce(t("desk.said.assigned", { unit: name, id: `DSP-${call}` }));
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    await readAgain(queries);
  };
}
