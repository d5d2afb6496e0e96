import { workingStates } from "@rollcall/server/contract/assignments";
import { baseKinds, type CustomStatus, type FreePerson, type Unit } from "@rollcall/server/contract/units";
import type { Translate } from "#core/i18n.ts";
import type { Call } from "#features/calls/calls.api.ts";
import type { Known, ProgressWord, StatusWord } from "./command.ts";

const englishProgress = { accepted: "accepted", enRoute: "en route", onScene: "on scene" } as const;

/** What the command line may name: words in English and in the viewer's language. */
export function knownOf(
  t: Translate,
  calls: readonly Call[],
  { items, free }: { readonly items: readonly Unit[]; readonly free: readonly FreePerson[] },
  custom: readonly Pick<CustomStatus, "id" | "name" | "base" | "deleted">[],
): Known {
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
  return {
    calls,
    units,
    people: [...units.flatMap(({ crew }) => crew.map(({ name }) => name)), ...free.map(({ name }) => name)],
    statuses,
    progress,
    words: {
      done: t("desk.line.words.done"),
      note: t("desk.line.words.note"),
      cancel: t("desk.line.words.cancel"),
      reopen: t("desk.line.words.reopen"),
      who: t("desk.line.words.who"),
      undo: t("desk.line.words.undo"),
      help: t("desk.line.words.help"),
    },
  };
}
