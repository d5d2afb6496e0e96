import { useQueryClient } from "@tanstack/react-query";
import { getProperties } from "@rollcall/server/contract/jobs";
import contract from "virtual:form/jobs/putProperties/properties";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { AreaField } from "#ui/formFields.tsx";
import { type Loaded, type Properties, propertyCalls } from "./jobs.queries.ts";

export interface MessageDialogProps {
  readonly loaded: Loaded;
  onClose(): void;
}

/** Writes the message of the day. */
export default function MessageDialog({ loaded, onClose }: MessageDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const form = useContractForm<Properties>({
    contract,
    fields: { message: { label: t("jobs.message") } },
    stored: { version: loaded.version, values: loaded.properties },
    draft: `jobs.message.${loaded.job}`,
    ...propertyCalls(loaded.job),
    saved() {
      void queries.invalidateQueries({ queryKey: [getProperties.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t("jobs.message")} onClose={() => form.model.leave(onClose)}>
      <Form form={form}>
        <AreaField at="message" rows={6} hideLabel autoFocus description={t("jobs.panel.messageLead")} />
        <FormBar save={t("web.form.save")} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
