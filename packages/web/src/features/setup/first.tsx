import { useEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { authOptions } from "@rollcall/server/contract/auth";
import { setupBegin, setupCheck, setupErrors } from "@rollcall/server/contract/setup";
import contract from "virtual:form/setup/setupBegin";
import { useClientConfig } from "#core/client.ts";
import type { FormContract } from "#core/forms/contract.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { cookieDropped } from "#core/session/dropped.ts";
import { session, transport } from "#core/services.ts";
import { go, usePath } from "#core/session/path.ts";
import { Form, FormButtons } from "#ui/form.tsx";
import { OwnField, PasswordField, TextField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { StepTitle } from "./parts.tsx";
import { strengthOf } from "./strength.ts";
import classes from "./setup.module.css";

/** The token is in the address. */
const withoutToken: FormContract = {
  ...contract,
  schema: { ...contract.schema, required: ["username", "password"] },
};

export function FirstAdminStep() {
  // Renders again when the address changes: pasting a link with a token does not reload this page.
  usePath();
  const token = location.hash.slice(1);
  return token === "" ? <TokenMissing /> : <Checked key={token} token={token} />;
}

/** A wrong token is refused before a name and a password are chosen. */
function Checked({ token }: { token: string }) {
  const { t } = useText();
  const query = useQuery({
    queryKey: [setupCheck.id, token],
    queryFn: async () => {
      await transport.send(setupCheck, { body: { token } });
      return true;
    },
    staleTime: Infinity,
    // An answer is kept no longer than the page: the token is a secret.
    gcTime: 0,
    // The check counts as an attempt.
    retry: false,
  });
  if (query.isPending) return <Bars widths={["60%", "80%", "50%"]} />;
  if (query.isSuccess) return <FirstAdminForm token={token} />;
  const problem = asProblem(query.error);
  if (problem.code === setupErrors.tokenWrong.code) return <TokenMissing wrong={problemMessage(t, problem)} />;
  return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
}

/** Where the address is found; `wrong` says why the one that was opened is not it. */
function TokenMissing({ wrong }: { wrong?: string }) {
  const { t } = useText();
  const client = useClientConfig();
  return (
    <>
      <StepTitle>{t(wrong === undefined ? "setup.missing.title" : "setup.missing.wrong")}</StepTitle>
      {wrong !== undefined && <p role="alert">{wrong}</p>}
      <p>{t("setup.missing.text")}</p>
      <div className={classes["block"]}>
        <pre>{`${(client?.publicUrl ?? location.origin).replace(/\/$/, "")}/setup#…`}</pre>
      </div>
      <p className={classes["quiet"]}>{t("setup.missing.why")}</p>
    </>
  );
}

interface Values {
  readonly [field: string]: unknown;
  readonly username: string;
  readonly password: string;
  readonly licence?: string;
}

const EMPTY = { version: 0, values: { username: "", password: "", licence: "" } satisfies Values };

function useMinimum(): number | null {
  const [minimum, setMinimum] = useState<number | null>(null);
  useEffect(() => {
    transport.send(authOptions, {}).then(
      (options) => setMinimum(options.passwordMinimum),
      () => undefined,
    );
  }, []);
  return minimum;
}

function FirstAdminForm({ token }: { token: string }) {
  const { t } = useText();
  const minimum = useMinimum();
  const form = useContractForm<Values>({
    contract: withoutToken,
    fields: {
      username: { label: t("auth.login.username") },
      password: { label: t("auth.login.password") },
      licence: { label: t("setup.first.licence") },
    },
    stored: EMPTY,
    asTyped: ["password"],
    refusals: { "accounts.usernameInvalid": "username", "accounts.passwordTooShort": "password" },
    check: ({ password }) =>
      password !== "" && password.length < (minimum ?? 0) ? { password: { kind: "shorter", count: minimum ?? 0 } } : {},
    async save(values) {
      await transport.send(setupBegin, { body: { token, ...values } });
      await session.start();
      if (session.state.get().phase === "signedOut") throw cookieDropped();
      go("/setup", true);
    },
  });
  return (
    <Form form={form} className={classes["form"]}>
      <h2>{t("setup.first.title")}</h2>
      <p>{t("setup.first.text")}</p>
      <TextField at="username" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus />
      <div>
        <PasswordField
          at="password"
          description={minimum === null ? undefined : t("auth.register.passwordText", { minimum })}
          name="password"
          autoComplete="new-password"
        />
        <OwnField<string> at="username">
          {({ value: username }) => (
            <OwnField<string> at="password">
              {({ value: password }) => <StrengthLine username={username} password={password} minimum={minimum} />}
            </OwnField>
          )}
        </OwnField>
      </div>
      <TextField
        at="licence"
        description={t("setup.first.licenceText")}
        name="licence"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="license:0123456789abcdef…"
      />
      <FormButtons className={classes["acts"]} submit={t("setup.first.submit")} />
    </Form>
  );
}

function StrengthLine(props: { username: string; password: string; minimum: number | null }) {
  const { t } = useText();
  const strength = strengthOf(props.password, props.username, props.minimum ?? 0);
  return (
    <div className={classes["strength"]} data-strength={strength} role="status">
      {props.password !== "" && strength !== "short" && t(`setup.strength.${strength}`)}
    </div>
  );
}
