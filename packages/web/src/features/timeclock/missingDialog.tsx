import { useRef, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { getHours, listEntries, requestMissing } from "@rollcall/server/contract/timeclock";
import contract from "virtual:form/timeclock/requestMissing";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField } from "#ui/formFields.tsx";
import { refusals, timeLabels, type Times, TimesFields } from "./timesFields.tsx";
import classes from "./timeclock.module.css";

export interface MissingDialogProps {
  /** Where it begins with, `YYYY-MM-DD`. */
  readonly day: string;
  readonly zone: string;
  onClose(): void;
}

/** Asks for an entry that nobody counted. */
export default function MissingDialog(props: MissingDialogProps) {
  const { t } = useText();
  const close = useRef<() => void>(props.onClose);
  return (
    <Dialog title={t("timeclock.missing.title")} onClose={() => close.current()}>
      <MissingForm {...props} askFirst={(leave) => (close.current = leave)} />
    </Dialog>
  );
}

interface FormProps extends MissingDialogProps {
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function MissingForm({ day, zone, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const [twice, setTwice] = useState(false);
  const [stored] = useState(() => ({
    version: 0,
    values: { from: `${day}T`, fromWhich: null, to: `${day}T`, toWhich: null, reason: "" } satisfies Times as Times,
  }));
  const form = useContractForm<Times>({
    contract,
    fields: timeLabels(t),
    stored,
    draft: "timeclock.missing",
    refusals,
    async save(values) {
      try {
        await api.call(requestMissing, { body: values });
      } catch (error) {
        if (asProblem(error).code === "timeclock.twiceTime") setTwice(true);
        throw error;
      }
      showToast({ tone: "success", title: t("timeclock.correct.sent") });
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [listEntries.id] });
      void queries.invalidateQueries({ queryKey: [getHours.id] });
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      <p className={classes["quiet"]}>{t("timeclock.missing.lead", { zone })}</p>
      <TimesFields twice={twice} />
      <AreaField at="reason" rows={2} description={t("timeclock.correct.reasonHint")} />
      <FormButtons submit={t("timeclock.correct.send")} cancel={{ text: t("web.cancel"), run: leave }} />
    </Form>
  );
}
