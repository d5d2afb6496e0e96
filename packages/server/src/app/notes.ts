import { type Finding, formatFinding, type LoadedConfig } from "#config/index.ts";
import type { OptionNote, StartNotes } from "#core/start-notes.ts";

/** What the configuration has to say, for the doctor and the status page. */
export function notesOf({ warnings, hints, notInEffect }: LoadedConfig): Omit<StartNotes, "startedAt"> {
  return { warnings: warnings.map(noteOf), hints: hints.map(noteOf), notInEffect };
}

function noteOf(finding: Finding): OptionNote {
  const { path, place, what, instead, said } = finding;
  return { option: place.kind === "variable" ? place.name : path, what, instead, line: formatFinding(finding), ...said };
}
