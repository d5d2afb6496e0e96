import { useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { listPresentPanics } from "@rollcall/server/contract/panic";
import { listUnits } from "@rollcall/server/contract/units";
import { type Translate, useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { readAgain } from "#features/assignments/assignments.api.ts";
import { type Known, parseLine } from "./command.ts";
import { refusalText, whoText, willText } from "./lineTexts.ts";
import { type Change, type Inverse, runCommand, StatusKept, UnitLeft } from "./runCommand.ts";

/** What lines change, beside what calls and their units are read from. */
const changed = [[listUnits.id], [listPresentPanics.id]];

/** Changes that `undo` takes back. */
const mostKept = 50;

interface Done {
  readonly line: string;
  readonly inverse: Inverse;
}

export interface CommandLineProps {
  /** As the last answers of the server have it: a line may be about what the one before it changed. */
  knownNow(): Known;
  onOpen(call: number): void;
  onHelp(): void;
}

/** A line whose first step was done and whose next one was refused; says so in words. */
class DoneInPart extends Error {
  override name = "DoneInPart";
}

function failureText(t: Translate, error: unknown): string {
  if (error instanceof DoneInPart) return error.message;
  if (error instanceof UnitLeft) return t("desk.line.refused.left", { about: error.unit });
  if (error instanceof StatusKept) return t("desk.line.kept", { unit: error.unit });
  return problemMessage(t, asProblem(error));
}

/** Runs lines one after the other, keeps how to take each back, and says what became of it. */
export function useCommandLine({ knownNow, onOpen, onHelp }: CommandLineProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [said, setSaid] = useState<{ readonly text: string; readonly bad: boolean }>({ text: "", bad: false });
  const [waiting, setWaiting] = useState(0);
  const done = useRef<readonly Done[]>([]);
  const queue = useRef(Promise.resolve());
  const say = (text: string, bad = false) => setSaid({ text, bad });
  const change = async (work: () => Promise<string>) => {
    let [text, bad] = ["", false];
    try {
      text = await work();
    } catch (error) {
      [text, bad] = [failureText(t, error), true];
    }
    await Promise.all([readAgain(queries), ...changed.map(async (queryKey) => await queries.invalidateQueries({ queryKey }))]);
    say(text, bad);
  };
  const undo = async () => {
    const last = done.current.at(-1);
    if (last === undefined) return say(t("desk.line.noUndo.nothing"), true);
    const { line, inverse } = last;
    if ("why" in inverse) return say(t(`desk.line.noUndo.${inverse.why}`, { line }), true);
    await change(async () => {
      try {
        await inverse.undo(t("desk.line.undone"));
      } catch (error) {
        // Nothing of it is there any more: the line before it can be taken back next.
        if (error instanceof UnitLeft) done.current = done.current.slice(0, -1);
        throw error;
      }
      done.current = done.current.slice(0, -1);
      return t("desk.line.tookBack", { line });
    });
  };
  const doIt = async (line: string, plan: Change) =>
    await change(async () => {
      const what = willText(t, plan);
      let begun = false;
      try {
        await runCommand(api, plan, (inverse) => {
          begun = true;
          done.current = [...done.current.slice(1 - mostKept), { line, inverse }];
        });
      } catch (error) {
        if (!begun) throw error;
        throw new DoneInPart(t("desk.line.inPart", { what, why: failureText(t, error) }));
      }
      return t("desk.line.done", { what });
    });
  const enter = async (line: string): Promise<void> => {
    const known = knownNow();
    const { plan, refusal } = parseLine(line, known);
    if (plan === null) return say(`${line}: ${refusalText(t, refusal)}`, true);
    if (plan.do === "open") onOpen(plan.call.id);
    else if (plan.do === "help") onHelp();
    else if (plan.do === "who") say(whoText(t, plan.text, known));
    else if (plan.do === "undo") await undo();
    else await doIt(line, plan);
  };
  /** After those that were entered before. */
  const send = (line: string) => {
    setWaiting((count) => count + 1);
    queue.current = queue.current.then(async () => {
      await enter(line);
      setWaiting((count) => count - 1);
    });
  };
  return { said, busy: waiting > 0, send, say };
}
