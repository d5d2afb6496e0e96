import { useQueryClient } from "@tanstack/react-query";
import { replyToEntry } from "@rollcall/server/contract/conduct";
import contract from "virtual:form/conduct/replyToEntry";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { AreaField } from "#ui/formFields.tsx";
import { type ConductEntry, readAgain } from "./conduct.queries.ts";
import classes from "./conduct.module.css";

export interface ReplyDialogProps {
  readonly entry: ConductEntry;
  onClose(): void;
}

const EMPTY = { version: 0, values: { text: "" } };

/** The one reply of the person whom an entry is about. */
export default function ReplyDialog({ entry: { id, version }, onClose }: ReplyDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const form = useContractForm<{ text: string }>({
    contract,
    fields: { text: { label: t("conduct.reply.title") } },
    stored: EMPTY,
    draft: `conduct.reply.${id}`,
    async save({ text }) {
      await api.call(replyToEntry, { params: { id }, body: { version, text } });
      showToast({ tone: "success", title: t("conduct.reply.sent") });
    },
    saved() {
      readAgain(queries);
      onClose();
    },
  });
  const leave = () => form.model.leave(onClose);
  return (
    <Dialog title={t("conduct.reply.open")} onClose={leave}>
      <Form form={form} className={classes["form"]}>
        <p className={classes["quiet"]}>{t("conduct.reply.lead")}</p>
        <AreaField at="text" rows={4} />
        <FormButtons submit={t("conduct.reply.send")} cancel={{ text: t("web.cancel"), run: leave }} />
      </Form>
    </Dialog>
  );
}
