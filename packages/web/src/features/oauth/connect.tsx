import { useState } from "react";
import { Button } from "@mantine/core";
import contract from "virtual:form/oauth/connect";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { PasswordField, TextField } from "#ui/formFields.tsx";
import { useConnect } from "./oauth.queries.ts";
import classes from "./oauth.module.css";

interface ConnectProps {
  /** Name of the provider. */
  readonly name: string;
  /** Path to which the provider sends the browser back. */
  readonly back: string;
  readonly onCancel: () => void;
}

/** Asks for the password, or a code instead, and redirects to the provider. */
export function ConnectForm(props: ConnectProps) {
  const [byCode, setByCode] = useState(false);
  return <ProofForm key={String(byCode)} {...props} byCode={byCode} onSwitch={() => setByCode(!byCode)} />;
}

const NOTHING = { version: 0, values: { password: "", code: "" } };

function ProofForm({ name, back, onCancel, byCode, onSwitch }: ConnectProps & { byCode: boolean; onSwitch: () => void }) {
  const { t } = useText();
  const connecting = useConnect(name, back);
  const form = useContractForm<{ password?: string; code?: string }>({
    contract,
    fields: byCode ? { code: { label: t("auth.factor.code") } } : { password: { label: t("account.currentPassword") } },
    stored: NOTHING,
    asTyped: ["password"],
    // Nothing typed: the server's refusal explains what an account without a password has to do.
    save: async ({ password, code }) =>
      await connecting.mutateAsync(byCode ? { ...(code ? { code } : {}) } : { ...(password ? { password } : {}) }),
  });
  return (
    <Form form={form} className={classes["confirm"]}>
      <p className={classes["hint"]}>{t("oauth.panel.confirmWhy")}</p>
      {byCode ? (
        <TextField
          at="code"
          description={t("auth.factor.codeText")}
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          autoFocus
        />
      ) : (
        <PasswordField at="password" name="current" autoComplete="current-password" autoFocus />
      )}
      <div className={classes["actions"]}>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onSwitch}>
          {t(byCode ? "oauth.panel.usePassword" : "oauth.panel.useCode")}
        </Button>
      </div>
      <FormButtons
        className={classes["actions"]}
        submit={t("oauth.panel.goOn")}
        cancel={{ text: t("web.cancel"), run: onCancel }}
      />
    </Form>
  );
}
