import { useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { editCall, getCall, listCalls, listPresent } from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/editCall";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField, TextField } from "#ui/formFields.tsx";
import { type Call, useTypes } from "./calls.queries.ts";
import { NumberChoice, PriorityField } from "./fields.tsx";
import classes from "./calls.module.css";

export interface EditDialogProps {
  readonly call: Call;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  readonly typeId: number | null;
  readonly message: string;
  readonly priority: number;
  readonly postal: string | null;
}

const valuesOf = ({ type, message, priority, postal }: Call): Values => ({ typeId: type?.id ?? null, message, priority, postal });

/** Changes an open call. */
export default function EditDialog({ call, onClose }: EditDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { id, type } = call;
  const live = useTypes().data?.items.filter(({ deleted }) => !deleted) ?? [];
  const options = [...live, ...(type === null || live.some((one) => one.id === type.id) ? [] : [type])];
  const stored = useMemo(() => ({ version: call.version, values: valuesOf(call) }), [call]);
  const form = useContractForm<Values>({
    contract,
    fields: {
      typeId: { label: t("calls.columns.type") },
      message: { label: t("calls.columns.message") },
      priority: { label: t("calls.columns.priority") },
      postal: { label: t("calls.columns.postal") },
    },
    stored,
    draft: `call.${id}`,
    refusals: { "calls.postalUnknown": "postal", "calls.typeNotFound": "typeId" },
    async save(values, version) {
      await api.call(editCall, { params: { id }, body: { ...values, postal: values.postal || null, version } });
    },
    async read() {
      const now = await api.call(getCall, { params: { id } });
      return { version: now.version, values: valuesOf(now) };
    },
    saved() {
      for (const one of [getCall, listCalls, listPresent]) void queries.invalidateQueries({ queryKey: [one.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t("calls.do.edit")} onClose={() => form.model.leave(onClose)}>
      <Form form={form} className={classes["form"]}>
        <AreaField at="message" rows={3} />
        <div className={classes["two"]}>
          <NumberChoice
            at="typeId"
            label={t("calls.columns.type")}
            none={t("calls.noType")}
            data={options.map((one) => ({ value: String(one.id), label: `${one.code} ${one.name}` }))}
          />
          <PriorityField />
          <TextField at="postal" />
        </div>
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
