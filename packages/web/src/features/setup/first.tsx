import { useEffect, useState, type FormEvent } from "react";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { authOptions } from "@rollcall/server/contract/auth";
import { setupBegin } from "@rollcall/server/contract/setup";
import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { Problem } from "#core/problem.ts";
import { session, transport } from "#core/services.ts";
import { go, usePath } from "#core/session/path.ts";
import { ProblemNote } from "#ui/states.tsx";
import { StepTitle } from "./parts.tsx";
import { strengthOf } from "./strength.ts";
import classes from "./setup.module.css";

export function FirstAdminStep() {
  // Renders again when the address changes: pasting a link with a token does not reload this page.
  usePath();
  const token = location.hash.slice(1);
  return token === "" ? <TokenMissing /> : <Form token={token} />;
}

function TokenMissing() {
  const { t } = useText();
  const client = useClientConfig();
  return (
    <>
      <StepTitle>{t("setup.missing.title")}</StepTitle>
      <p>{t("setup.missing.text")}</p>
      <div className={classes["block"]}>
        <pre>{`${(client?.publicUrl ?? location.origin).replace(/\/$/, "")}/setup#…`}</pre>
      </div>
      <p className={classes["quiet"]}>{t("setup.missing.why")}</p>
    </>
  );
}

function useFirstAdmin(token: string) {
  const [values, setValues] = useState({ username: "", password: "", licence: "" });
  const [minimum, setMinimum] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<{ token: string; problem: unknown } | null>(null);
  const ready = values.username.trim() !== "" && values.password !== "" && values.password.length >= (minimum ?? 0);

  useEffect(() => {
    transport.send(authOptions, {}).then(
      (options) => setMinimum(options.passwordMinimum),
      () => undefined,
    );
  }, []);

  const begin = async () => {
    setBusy(true);
    setFailed(null);
    const licence = values.licence.trim();
    const admin = { token, username: values.username.trim(), password: values.password };
    try {
      await transport.send(setupBegin, { body: licence === "" ? admin : { ...admin, licence } });
      await session.start();
      if (session.state.get().phase === "signedOut") throw new Problem("web.cookieDropped", 401);
      go("/setup", true);
    } catch (problem) {
      setFailed({ token, problem });
      setBusy(false);
    }
  };
  return {
    values,
    put: (change: Partial<typeof values>) => setValues({ ...values, ...change }),
    minimum,
    busy,
    ready,
    /** The problem of an earlier token does not apply. */
    problem: failed?.token === token ? failed.problem : null,
    submit: (event: FormEvent) => {
      event.preventDefault();
      if (ready) void begin();
    },
  };
}

function Form({ token }: { token: string }) {
  const { t } = useText();
  const { values, put, minimum, busy, ready, problem, submit } = useFirstAdmin(token);
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <h2>{t("setup.first.title")}</h2>
      <p>{t("setup.first.text")}</p>
      {problem !== null && <ProblemNote error={problem} />}
      <TextInput
        label={t("auth.login.username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={24}
        required
        withAsterisk={false}
        value={values.username}
        onChange={(event) => put({ username: event.currentTarget.value })}
        autoFocus
      />
      <div>
        <PasswordInput
          label={t("auth.login.password")}
          description={minimum === null ? undefined : t("auth.register.passwordText", { minimum })}
          name="password"
          autoComplete="new-password"
          maxLength={256}
          required
          withAsterisk={false}
          value={values.password}
          onChange={(event) => put({ password: event.currentTarget.value })}
          visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
        />
        <StrengthLine {...values} minimum={minimum} />
      </div>
      <TextInput
        label={t("setup.first.licence")}
        description={t("setup.first.licenceText")}
        name="licence"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        placeholder="license:0123456789abcdef…"
        value={values.licence}
        onChange={(event) => put({ licence: event.currentTarget.value })}
      />
      <div className={classes["acts"]}>
        <Button type="submit" loading={busy} disabled={!ready}>
          {t("setup.first.submit")}
        </Button>
      </div>
    </form>
  );
}

function StrengthLine(props: { username: string; password: string; minimum: number | null }) {
  const { t } = useText();
  const strength = strengthOf(props.password, props.username, props.minimum ?? 0);
  return (
    <div className={classes["strength"]} data-strength={strength} role="status">
      {props.password !== "" && t(`setup.strength.${strength}`)}
    </div>
  );
}
