import { useState, type FormEvent } from "react";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { ProblemNote } from "#ui/states.tsx";
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
export function ConnectForm({ name, back, onCancel }: ConnectProps) {
  const { t } = useText();
  const [byCode, setByCode] = useState(false);
  const [typed, setTyped] = useState("");
  const connecting = useConnect(name, back);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Nothing typed: the server's refusal explains what an account without a password has to do.
    connecting.mutate(typed === "" ? {} : byCode ? { code: typed } : { password: typed });
  };
  const switchTo = () => {
    setByCode(!byCode);
    setTyped("");
    connecting.reset();
  };
  const shared = {
    value: typed,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
    autoFocus: true,
  };
  return (
    <form className={classes["confirm"]} onSubmit={submit}>
      <p className={classes["hint"]}>{t("oauth.panel.confirmWhy")}</p>
      {connecting.isError && <ProblemNote error={connecting.error} />}
      {byCode ? (
        <TextInput
          key="code"
          label={t("auth.factor.code")}
          description={t("auth.factor.codeText")}
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          {...shared}
        />
      ) : (
        <PasswordInput
          key="password"
          label={t("account.currentPassword")}
          name="current"
          autoComplete="current-password"
          maxLength={256}
          visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
          {...shared}
        />
      )}
      <div className={classes["actions"]}>
        <Button type="submit" size="compact-md" loading={connecting.isPending || connecting.isSuccess}>
          {t("oauth.panel.goOn")}
        </Button>
        <Button size="compact-md" variant="default" onClick={switchTo}>
          {t(byCode ? "oauth.panel.usePassword" : "oauth.panel.useCode")}
        </Button>
        <Button size="compact-md" variant="subtle" color="gray" onClick={onCancel}>
          {t("web.cancel")}
        </Button>
      </div>
    </form>
  );
}
