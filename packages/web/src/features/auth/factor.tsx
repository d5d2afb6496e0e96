import { useState, type FormEvent } from "react";
import { Button, TextInput } from "@mantine/core";
import { loginFactor } from "@rollcall/server/contract/auth";
import { useSending } from "#core/forms/sending.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { session, transport } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { SubmitButton } from "#ui/formParts.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { SignedOutPage } from "./shell.tsx";
import classes from "./auth.module.css";

/** The second step of signing in. */
export default function FactorPage() {
  const { t } = useText();
  return (
    <SignedOutPage title={t("auth.factor.title")}>
      <FactorForm onBack={() => go("/", true)} />
    </SignedOutPage>
  );
}

export function FactorForm({ onBack }: { onBack: () => void }) {
  const { t } = useText();
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(false);
  const { busy, problem: error, send } = useSending();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const entered = await send(async () => {
      await session.enter(() => transport.send(loginFactor, { body: { code } }));
      if (location.pathname === "/login/factor") go("/", true);
    });
    if (!entered && !recovery) setCode("");
  };
  const expired = error !== null && asProblem(error).code === "auth.factorExpired";

  return (
    <form className={classes["form"]} onSubmit={(event) => void submit(event)}>
      {error !== null && <ProblemNote error={error} onRetry={expired ? onBack : undefined} />}
      <TextInput
        key={recovery ? "recovery" : "code"}
        label={t(recovery ? "auth.factor.recoveryCode" : "auth.factor.code")}
        description={t(recovery ? "auth.factor.recoveryText" : "auth.factor.codeText")}
        name="code"
        className={classes["token"] ?? ""}
        inputMode={recovery ? "text" : "numeric"}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        required
        withAsterisk={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoFocus
      />
      <SubmitButton busy={busy} disabled={code.trim() === ""} wide>
        {t("auth.login.submit")}
      </SubmitButton>
      <Button
        variant="subtle"
        color="gray"
        onClick={() => {
          setCode("");
          setRecovery(!recovery);
        }}
      >
        {t(recovery ? "auth.factor.useCode" : "auth.factor.useRecovery")}
      </Button>
    </form>
  );
}
