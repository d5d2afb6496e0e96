import { useState } from "react";
import { changeUsername } from "@rollcall/server/contract/auth";
import contract from "virtual:form/auth/changeUsername";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { TextField } from "#ui/formFields.tsx";
import { CurrentPassword } from "./fields.tsx";
import classes from "./account.module.css";

interface Values {
  readonly [field: string]: unknown;
  readonly username: string;
  readonly password: string;
}

export function UsernameForm({ username: before, onDone }: { username: string; onDone: () => void }) {
  const { t } = useText();
  const [done, setDone] = useState(false);
  const form = useContractForm<Values>({
    contract,
    fields: { username: { label: t("account.rename.name") }, password: { label: t("account.currentPassword") } },
    stored: { version: 0, values: { username: before, password: "" } },
    asTyped: ["password"],
    refusals: { "accounts.usernameTaken": "username", "accounts.usernameInvalid": "username" },
    save: async (body) => await api.call(changeUsername, { body }),
    saved() {
      setDone(true);
      onDone();
    },
    empties: true,
  });
  return (
    <Form form={form} className={classes["form"]}>
      <TextField at="username" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      <CurrentPassword />
      <FormButtons className={classes["acts"]} submit={t("account.rename.submit")}>
        <span role="status">{done ? t("account.rename.done") : ""}</span>
      </FormButtons>
    </Form>
  );
}
