import { useEffect, useState, type FormEvent } from "react";
import { PasswordInput, TextInput } from "@mantine/core";
import { openToken } from "@rollcall/server/contract/accounts";
import { authOptions, register, reset } from "@rollcall/server/contract/auth";
import { useSending } from "#core/forms/sending.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { session, transport } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { problemMessage } from "#core/messages.ts";
import { FormProblem, SubmitButton } from "#ui/formParts.tsx";
import { SignedOutPage } from "./shell.tsx";
import { lookUpToken, type TokenLink, unknownLink } from "./tokenLink.ts";
import classes from "./auth.module.css";

/** The field that an error concerns; other errors are shown above the form. */
const FIELDS: Readonly<Record<string, "token" | "username" | "password">> = {
  "accounts.tokenNotValid": "token",
  "accounts.usernameInvalid": "username",
  "accounts.usernameTaken": "username",
  "accounts.passwordTooShort": "password",
};

export interface TokenPageProps {
  readonly kind: "register" | "reset";
}

/** Registers, or sets a new password, with a token that is typed or comes in the address. */
export default function TokenPage({ kind }: TokenPageProps) {
  const { t } = useText();
  const form = useTokenForm(kind);
  const { values, put, wrong } = form;
  const ready = values.token.trim() !== "" && values.password !== "" && (kind === "reset" || values.username.trim() !== "");

  return (
    <SignedOutPage title={t(`auth.${kind}.title`)}>
      <p>{t(`auth.${kind}.lead`)}</p>
      {form.link.username !== null && <p>{t("auth.reset.for", { username: form.link.username })}</p>}
      {form.link.ended && form.error === null && <p role="alert">{t("auth.reset.ended")}</p>}
      <form className={classes["form"]} onSubmit={form.submit}>
        {wrong === undefined && <FormProblem problem={form.error} />}
        <TextInput
          label={t("auth.register.token")}
          description={t("auth.register.tokenText")}
          name="token"
          className={classes["token"] ?? ""}
          autoComplete="off"
          spellCheck={false}
          maxLength={128}
          required
          withAsterisk={false}
          value={values.token}
          error={form.errorOf("token")}
          onChange={(event) => put({ token: event.currentTarget.value })}
          autoFocus={values.token === ""}
        />
        {kind === "register" && (
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
            error={form.errorOf("username")}
            onChange={(event) => put({ username: event.currentTarget.value })}
            autoFocus={values.token !== ""}
          />
        )}
        <PasswordInput
          label={t("auth.register.password")}
          description={form.minimum === null ? undefined : t("auth.register.passwordText", { minimum: form.minimum })}
          name="password"
          autoComplete="new-password"
          maxLength={256}
          required
          withAsterisk={false}
          value={values.password}
          error={form.errorOf("password")}
          onChange={(event) => put({ password: event.currentTarget.value })}
          visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
          autoFocus={kind === "reset" && values.token !== ""}
        />
        <SubmitButton busy={form.busy} disabled={!ready} wide>
          {t(`auth.${kind}.submit`)}
        </SubmitButton>
      </form>
    </SignedOutPage>
  );
}

function useTokenForm(kind: "register" | "reset") {
  const { t } = useText();
  // Tokens have no characters that need decoding.
  const [values, setValues] = useState({ token: location.hash.slice(1), username: "", password: "" });
  const { busy, problem: error, send } = useSending();
  const [minimum, setMinimum] = useState<number | null>(null);
  useEffect(() => {
    transport.send(authOptions, {}).then(
      (options) => setMinimum(options.passwordMinimum),
      () => undefined,
    );
  }, []);

  const link = useTokenLink(kind, values.token);

  const enter = async () => {
    const { token, password } = values;
    const state = await session.enter(() =>
      kind === "register"
        ? transport.send(register, { body: { token, username: values.username.trim(), password } })
        : transport.send(reset, { body: { token, password } }),
    );
    go(state === "signedIn" ? "/" : "/login/factor", true);
  };
  const problem = error === null ? null : asProblem(error);
  const wrong = problem === null ? undefined : FIELDS[problem.code];
  return {
    values,
    put: (change: Partial<typeof values>) => setValues({ ...values, ...change }),
    busy,
    error,
    minimum,
    link,
    wrong,
    errorOf: (field: string) => (problem !== null && wrong === field ? problemMessage(t, problem) : null),
    submit: (event: FormEvent) => {
      event.preventDefault();
      void send(enter);
    },
  };
}

/** What is known of the reset token of the address; of any other token nothing. */
function useTokenLink(kind: "register" | "reset", token: string): TokenLink {
  const [found, setFound] = useState<{ readonly token: string; readonly link: TokenLink } | null>(null);
  const [given] = useState(token);
  useEffect(() => {
    if (kind !== "reset") return;
    const open = async (secret: string) => await transport.send(openToken, {}, { link: secret });
    void lookUpToken(given, open).then((link) => setFound({ token: given, link }));
  }, [kind, given]);
  return found?.token === token ? found.link : unknownLink;
}
