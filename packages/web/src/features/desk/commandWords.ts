import { workingStates } from "@rollcall/server/contract/assignments";
import { panicOutcomes } from "@rollcall/server/contract/panic";
import { baseKinds, type CustomStatus, type FreePerson, type Unit } from "@rollcall/server/contract/units";
import type { Translate } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import type { Known, KnownPanic, OutcomeWord, ProgressWord, StatusWord } from "./command.ts";

const englishProgress = { accepted: "accepted", enRoute: "en route", onScene: "on scene" } as const;

/** What the desk shows, as the last answers of the server have it. */
export interface Shown {
  readonly calls: readonly Call[];
  readonly units: { readonly items: readonly Unit[]; readonly free: readonly FreePerson[] };
  readonly panics: readonly KnownPanic[];
  readonly statuses: readonly Pick<CustomStatus, "id" | "name" | "base" | "deleted">[];
  readonly selected: number | null;
}

/** What the command line may name: words in English and in the viewer's language. */
export function commandWords(t: Translate, { calls, units: { items, free }, panics, statuses: custom, selected }: Shown): Known {
  const units = items.filter(({ deleted }) => !deleted);
  const statuses: StatusWord[] = [
    ...baseKinds.flatMap((base) => [
      { word: base, base, id: null },
      { word: t(`desk.bases.${base}`), base, id: null },
    ]),
    ...custom.filter(({ deleted }) => !deleted).map(({ name, base, id }) => ({ word: name, base, id })),
  ];
  const progress: ProgressWord[] = workingStates.flatMap((state) => [
    { word: englishProgress[state], state },
    { word: t(`desk.progress.${state}`), state },
  ]);
  const outcomes: OutcomeWord[] = panicOutcomes.flatMap((outcome) => [
    { word: outcome, outcome },
    { word: t(`desk.outcomes.${outcome}`), outcome },
  ]);
  return {
    calls,
    units,
    panics,
    selected,
    people: [...units.flatMap(({ crew }) => crew.map(({ name }) => name)), ...free.map(({ name }) => name)],
    statuses,
    progress,
    outcomes,
    words: {
      done: t("desk.line.words.done"),
      note: t("desk.line.words.note"),
      cancel: t("desk.line.words.cancel"),
      reopen: t("desk.line.words.reopen"),
      panic: t("desk.line.words.panic"),
      off: t("desk.line.words.off"),
      who: t("desk.line.words.who"),
      undo: t("desk.line.words.undo"),
      help: t("desk.line.words.help"),
    },
  };
}
