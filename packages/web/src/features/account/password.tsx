import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { changePassword, ownAccount } from "@rollcall/server/contract/auth";
import contract from "virtual:form/auth/changePassword";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { PasswordField } from "#ui/formFields.tsx";
import { CurrentPassword } from "./fields.tsx";
import classes from "./account.module.css";

const EMPTY = { version: 0, values: { password: "", newPassword: "" } };

export function PasswordSection() {
  const { t } = useText();
  const own = useQuery(queryOf(ownAccount, {}));
  const [done, setDone] = useState(false);
  const minimum = own.data?.passwordMinimum ?? 0;
  const form = useContractForm<typeof EMPTY.values>({
    contract,
    fields: { password: { label: t("account.currentPassword") }, newPassword: { label: t("auth.register.password") } },
    stored: EMPTY,
    asTyped: ["password", "newPassword"],
    refusals: { "accounts.passwordTooShort": "newPassword" },
    check: ({ newPassword }) => (newPassword.length < minimum ? { newPassword: { kind: "shorter", count: minimum } } : {}),
    save: async (body) => await api.call(changePassword, { body }),
    saved: () => setDone(true),
    empties: true,
  });
  const about = minimum === 0 ? undefined : t("auth.register.passwordText", { minimum });
  return (
    <Form form={form} className={classes["form"]}>
      <h2>{t("account.sections.password")}</h2>
      <p>{t("account.password.text")}</p>
      <CurrentPassword />
      <PasswordField at="newPassword" description={about} name="new" autoComplete="new-password" />
      <FormButtons className={classes["acts"]} submit={t("account.password.submit")}>
        <span role="status">{done ? t("account.password.done") : ""}</span>
      </FormButtons>
    </Form>
  );
}
