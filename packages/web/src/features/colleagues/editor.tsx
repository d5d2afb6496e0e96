import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { colleaguesLimits, getColleague, putColleague } from "@rollcall/server/contract/colleagues";
import contract from "virtual:form/colleagues/putColleague";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField, TextField } from "#ui/formFields.tsx";
import type { Colleague } from "./colleagues.queries.ts";
import { editsNote, fullName, mayChange } from "./names.ts";
import classes from "./colleagues.module.css";

export interface EditorProps {
  readonly colleague: Colleague;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly note: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly reason: string;
}

const valuesOf = ({ note, prefix, suffix }: Colleague): Values => ({
  note: note ?? "",
  prefix: prefix ?? "",
  suffix: suffix ?? "",
  reason: "",
});

/** Changes the note and the name of a colleague. What was typed and not saved is kept as a draft. */
export default function ColleagueEditor({ colleague, onClose }: EditorProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { id } = colleague;
  const plain = t("colleagues.edit.affixForm");
  const [note, name] = [editsNote(colleague), mayChange(colleague, "name")];
  const stored = useMemo(() => ({ version: colleague.version, values: valuesOf(colleague) }), [colleague]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      ...(note ? { note: { label: t("colleagues.columns.note") } } : {}),
      ...(name
        ? {
            prefix: { label: t("colleagues.columns.prefix"), form: plain },
            suffix: { label: t("colleagues.columns.suffix"), form: plain },
          }
        : {}),
      reason: { label: t("colleagues.reason") },
    },
    stored,
    draft: `colleague.${id}`,
    async save(values, version) {
      const body = {
        version,
        reason: values.reason,
        ...(note ? { note: values.note } : {}),
        ...(name ? { prefix: values.prefix, suffix: values.suffix } : {}),
      };
      await api.call(putColleague, { params: { id }, body });
    },
    async read() {
      const now = await api.call(getColleague, { params: { id } });
      return { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void queries.invalidateQueries({ queryKey: [getColleague.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t("colleagues.edit.title", { name: fullName(colleague) })} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        {note && <AreaField at="note" rows={5} />}
        {name && (
          <div className={classes["two"]}>
            <TextField at="prefix" />
            <TextField at="suffix" />
          </div>
        )}
        <p className={classes["quiet"]}>{t("colleagues.edit.hint", { most: colleaguesLimits.note })}</p>
        <TextField at="reason" />
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
