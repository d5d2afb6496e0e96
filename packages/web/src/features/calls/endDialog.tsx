import { useQueryClient } from "@tanstack/react-query";
import {
  callsLimits,
  cancelCall,
  completeCall,
  getCall,
  listCalls,
  listOwnCalls,
  listPresent,
  reopenCall,
} from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/cancelCall";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import type { Call } from "./calls.queries.ts";
import classes from "./calls.module.css";

export interface EndDialogProps {
  readonly call: Pick<Call, "id" | "version">;
  readonly what: "complete" | "cancel" | "reopen";
  onClose(): void;
}

const EMPTY = { version: 0, values: { reason: "" } };

/** Completes, cancels or reopens a call; only the outcome of a completed one may be left out. */
export default function EndDialog({ call: { id, version }, what, onClose }: EndDialogProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const needed = what !== "complete";
  const reason = { type: "string", maxLength: callsLimits.reason, ...(needed ? { minLength: 1 } : {}) };
  const form = useContractForm<{ reason: string }>({
    contract: { ...contract, schema: { type: "object", properties: { reason }, required: needed ? ["reason"] : [] } },
    fields: { reason: { label: t(needed ? "calls.reason" : "calls.outcome") } },
    stored: EMPTY,
    async save(values) {
      const params = { id };
      if (what === "complete") await api.call(completeCall, { params, body: { version, outcome: values.reason || null } });
      else await api.call(what === "cancel" ? cancelCall : reopenCall, { params, body: { version, reason: values.reason } });
    },
    saved() {
      for (const one of [getCall, listCalls, listPresent, listOwnCalls]) void queries.invalidateQueries({ queryKey: [one.id] });
      onClose();
    },
  });
  return (
    <Dialog title={t(`calls.do.${what}`)} onClose={onClose}>
      <Form form={form} className={classes["form"]}>
        <TextField at="reason" autoFocus />
        <FormButtons
          submit={t(`calls.do.${what}`)}
          cancel={{ text: t(what === "cancel" ? "calls.do.keep" : "web.cancel"), run: onClose }}
        />
      </Form>
    </Dialog>
  );
}
