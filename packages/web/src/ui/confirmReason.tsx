import type { FormContract } from "#core/forms/contract.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { Answers, Asked, type Question } from "./confirm.tsx";
import { Dialog } from "./dialog.tsx";
import { Form } from "./form.tsx";
import { useFormState } from "./formContext.ts";
import { AreaField, TextField } from "./formFields.tsx";
import classes from "./confirm.module.css";

interface ConfirmReasonProps {
  readonly question: Question;
  /** Of an operation whose body has a `reason`. */
  readonly contract: FormContract;
  /** What the field of the reason is called. */
  readonly label: string;
  /** Name of its draft, where others read the reason, which is then a text of some lines. */
  readonly draft?: string;
  onYes(reason: string): Promise<unknown>;
  /** It was done. */
  onDone?(): void;
  onClose(): void;
}

const EMPTY = { version: 0, values: { reason: "" } };

/** Asks as `Confirm` does, and for the reason, which the audit log keeps. Apart from it, because it needs the form kit. */
export function ConfirmReason({ question, contract, label, draft, onYes, onDone, onClose }: ConfirmReasonProps) {
  const form = useContractForm<{ reason: string }>({
    contract,
    fields: { reason: { label } },
    stored: EMPTY,
    ...(draft === undefined ? {} : { draft }),
    save: async ({ reason }) => await onYes(reason),
    saved() {
      onClose();
      onDone?.();
    },
  });
  // Cancelling is the safe answer and is not asked about in turn, unless a draft is kept.
  const close = () => form.model.leave(onClose);
  return (
    <Dialog onClose={close} title={question.title}>
      <Form form={form} className={classes["body"]}>
        <Asked question={question} />
        {draft === undefined ? <TextField at="reason" /> : <AreaField at="reason" rows={3} />}
        <FormAnswers yes={question.yes} onClose={close} />
      </Form>
    </Dialog>
  );
}

function FormAnswers(props: { yes: string; onClose: () => void }) {
  const { busy } = useFormState();
  return <Answers {...props} busy={busy} />;
}
