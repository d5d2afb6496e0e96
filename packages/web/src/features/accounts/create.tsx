import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { createAccount } from "@rollcall/server/contract/accounts";
import contract from "virtual:form/accounts/createAccount";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import { Issued } from "./issued.tsx";
import classes from "./accounts.module.css";

interface Values {
  readonly [field: string]: unknown;
  readonly licence: string;
  readonly username?: string;
}

const EMPTY = { version: 0, values: { licence: "", username: "" } satisfies Values };

/** An account and the token with which its owner registers. */
export function NewAccount({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const queries = useQueryClient();
  const [issued, setIssued] = useState<OutputOf<typeof createAccount> | null>(null);
  const form = useContractForm<Values>({
    contract,
    fields: { licence: { label: t("accounts.columns.licence") }, username: { label: t("accounts.columns.username") } },
    stored: EMPTY,
    draft: "accounts.create",
    refusals: { "accounts.usernameTaken": "username", "accounts.usernameInvalid": "username" },
    save: async (body) => setIssued(await api.call(createAccount, { body })),
    saved: () => void queries.invalidateQueries(),
    empties: true,
  });
  return (
    <Form form={form} className={classes["create"]} label={t("accounts.create.open")}>
      {issued && <Issued issued={issued} />}
      <div className={classes["fields"]}>
        <TextField at="licence" description={t("accounts.create.licenceText")} autoFocus />
        <TextField at="username" description={t("accounts.create.usernameText")} autoCapitalize="none" />
      </div>
      <FormButtons
        className={classes["acts"]}
        submit={t("accounts.create.submit")}
        cancel={{ text: t("web.close"), run: () => form.model.leave(onClose) }}
      />
    </Form>
  );
}
