import { useState, type ReactNode } from "react";
import { Button } from "@mantine/core";
import { useText, type Translate } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "./dialog.tsx";
import { ProblemNote } from "./states.tsx";
import classes from "./confirm.module.css";

/** What is about to be lost, and whom it hits. */
export interface Question {
  readonly title: string;
  /** Whom it hits, and whether there is a way back. */
  readonly text: ReactNode;
  /** What is lost, one by one. */
  readonly lost?: readonly string[];
  /** The button that does it, named by what it does. */
  readonly yes: string;
  /** The safe answer, where “Cancel” would be taken for the other one. */
  readonly no?: string;
}

interface ConfirmProps {
  readonly question: Question;
  /** The dialog stays open while it runs, and says why it failed. */
  onYes(): unknown;
  onClose(): void;
}

/** Asks before something that cannot be undone. The safe answer has the focus. */
export function Confirm({ question, onYes, onClose }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await onYes();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <Dialog onClose={onClose} title={question.title}>
      <div className={classes["body"]}>
        <Asked question={question} />
        {error !== null && <ProblemNote error={error} />}
        <Answers
          yes={question.yes}
          {...(question.no === undefined ? {} : { no: question.no })}
          busy={busy}
          onYes={() => void run()}
          onClose={onClose}
        />
      </div>
    </Dialog>
  );
}

/** What is lost and whom it hits. */
export function Asked({ question: { text, lost = [] } }: { question: Question }) {
  return (
    <>
      <div>{text}</div>
      {lost.length > 0 && (
        <ul className={classes["lost"]}>
          {lost.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface AnswersProps {
  readonly yes: string;
  readonly no?: string;
  readonly busy: boolean;
  /** Sends the form around it when left out. */
  readonly onYes?: () => void;
  onClose(): void;
}

/** The safe answer, which has the focus, and the one that does it. */
export function Answers({ yes, no, busy, onYes, onClose }: AnswersProps) {
  const { t } = useText();
  return (
    <div className={classes["answers"]}>
      <Button variant="default" data-autofocus onClick={onClose}>
        {no ?? t("web.cancel")}
      </Button>
      <Button color="danger" loading={busy} {...(onYes ? { onClick: onYes } : { type: "submit" as const })}>
        {yes}
      </Button>
    </div>
  );
}

/** Asks first: `ask` opens the question, and `run` is called when the answer is yes. */
export function useConfirm(): { readonly dialog: ReactNode; ask(question: Question, run: () => unknown): void } {
  const [asked, setAsked] = useState<{ readonly question: Question; run(): unknown } | null>(null);
  return {
    dialog: asked && <Confirm question={asked.question} onYes={() => asked.run()} onClose={() => setAsked(null)} />,
    ask: (question, run) => setAsked({ question, run }),
  };
}

interface Done {
  readonly title: string;
  readonly text?: string;
  undo(): Promise<unknown>;
}

/** Says what was done, with the way back for ten seconds. */
export function offerUndo(t: Translate, { undo, ...said }: Done): void {
  const run = () => {
    undo().catch((error: unknown) => {
      showToast({ tone: "danger", title: t("web.undoFailed"), text: problemMessage(t, asProblem(error)) });
    });
  };
  showToast({ tone: "success", ...said, action: { label: t("web.undo"), run } });
}
