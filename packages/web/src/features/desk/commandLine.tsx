import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { ActionIcon } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { useShortcuts } from "#core/keyboard.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { preferences } from "#core/preferences.ts";
import { type Known, parseLine } from "./command.ts";
import { completions } from "./complete.ts";
import { useCommandLine } from "./useCommandLine.ts";
import { refusalText, willText } from "./lineTexts.ts";
import classes from "./line.module.css";

const Help = part<{ onClose(): void }>(["desk"], () => import("./lineHelp.tsx"));

/** Lines that the arrows bring back. */
const mostKept = 50;

interface Props {
  /** As the panes show it. */
  readonly known: Known;
  knownNow(): Known;
  onOpen(call: number): void;
}

/** What acts on Space itself, or scrolls by it. */
const CONTROL = "a, button, input, select, textarea, summary, [tabindex='0'], [contenteditable]";

/** Space brings the focus to the line while no control has it. */
function useSpace(focus: () => void): void {
  const run = useEffectEvent(focus);
  useShortcuts([{ keys: "Space", label: "desk.keys.line", group: "page" }]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
      if (key !== " " || altKey || ctrlKey || metaKey || shiftKey || isComposing) return;
      if (!preferences.get().singleKeys || document.activeElement?.matches(CONTROL) === true) return;
      if (document.querySelector("[role=dialog]") !== null) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** One line that does what the panes do: what Enter would do stands beside it in grey. */
export function CommandLine({ known, knownNow, onOpen }: Props) {
  const { t } = useText();
  const field = useRef<HTMLInputElement>(null);
  const [line, setLine] = useState("");
  const [help, setHelp] = useState(false);
  const [history, setHistory] = useState<readonly string[]>([]);
  const [at, setAt] = useState(0);
  const hint = useId();
  const { said, busy, send, say } = useCommandLine({ knownNow, onOpen, onHelp: () => setHelp(true) });
  const { plan, refusal } = parseLine(line, known);
  const offered = completions(line, known);
  useShortcuts([{ keys: ":", label: "desk.keys.line", group: "page", run: () => field.current?.focus() }]);
  useSpace(() => field.current?.focus());
  const enter = () => {
    if (line.trim() === "") return;
    // While another line is at work, whether this one fits is seen once that is done.
    if (plan === null && !busy) return say(refusalText(t, refusal), true);
    send(line);
    setHistory((all) => [...all.filter((one) => one !== line), line].slice(-mostKept));
    type("");
  };
  const type = (text: string) => {
    setAt(0);
    setLine(text);
  };
  const recall = (step: number) => {
    const next = Math.min(history.length, Math.max(0, at + step));
    setAt(next);
    setLine(next === 0 ? "" : history[history.length - next]!);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === "Tab" && !event.shiftKey && offered.length > 0) setLine(`${offered[0]!.line} `);
    else if (key === "Enter") enter();
    else if (key === "ArrowUp") recall(1);
    else if (key === "ArrowDown") recall(-1);
    else if (key === "Escape" && line !== "") type("");
    else if (key === "Escape") field.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const would = plan === null ? refusalText(t, refusal) : willText(t, plan);
  return (
    <div className={classes["line"]}>
      <label className={classes["prompt"]}>
        <span aria-hidden>&gt;</span>
        <input
          ref={field}
          value={line}
          placeholder={t("desk.line.placeholder")}
          aria-label={t("desk.line.label")}
          aria-describedby={hint}
          aria-busy={busy}
          autoComplete="off"
          spellCheck={false}
          data-command
          onChange={(event) => {
            type(event.currentTarget.value);
            say("");
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <span id={hint} className={classes["would"]}>
        {line.trim() === "" ? "" : would}
        {offered.length > 0 && <span> Tab: {offered.map(({ shown }) => shown).join(" · ")}</span>}
      </span>
      <span role="status" className={classes["said"]} data-bad={said.bad || undefined}>
        {said.text}
      </span>
      <ActionIcon variant="default" aria-haspopup="dialog" aria-label={t("desk.line.help.open")} onClick={() => setHelp(true)}>
        <IconHelp size={16} aria-hidden />
      </ActionIcon>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}
