import { part } from "#core/part.ts";
import { useStore } from "#core/store.ts";
import { workQuestion } from "./status.ts";
import type { WorkDialogProps } from "./workDialog.tsx";

const WorkDialog = part<WorkDialogProps>(["units"], () => import("./workDialog.tsx"));

/** With every page: the status of a unit is set by lists, commands and the command line alike. */
export function WorkQuestions() {
  const question = useStore(workQuestion);
  return question === null ? null : <WorkDialog key={question.unit.id} question={question} />;
}
