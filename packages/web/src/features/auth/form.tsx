import { lazy, Suspense, useState, type FormEvent } from "react";
import { PasswordInput, TextInput } from "@mantine/core";
import { useSending } from "#core/forms/sending.ts";
import { useText } from "#core/i18n.ts";
import { session } from "#core/services.ts";
import { go } from "#core/session/path.ts";
import { device } from "#core/storage.ts";
import { FormProblem, SubmitButton } from "#ui/formParts.tsx";
import classes from "./auth.module.css";

const LAST_USERNAME = "username";
const FactorForm = lazy(async () => ({ default: (await import("./factor.tsx")).FactorForm }));

/**
 * User name and password; the name is remembered, the password never. With `stay`, the second
 * factor is asked for in the same place, so that the page below stays mounted.
 */
export function LoginForm({ username: fixed, stay = false }: { username?: string; stay?: boolean }) {
  const { t } = useText();
  const [username, setUsername] = useState(() => fixed ?? remembered());
  const [password, setPassword] = useState("");
  const { busy, problem, send } = useSending();
  const [factor, setFactor] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(async () => {
      const state = await session.signIn({ username: username.trim(), password });
      device.write(LAST_USERNAME, username.trim());
      if (state === "signedIn") return;
      if (stay) setFactor(true);
      else go("/login/factor");
    });
  };

  if (factor) {
    return (
      <Suspense fallback={null}>
        <FactorForm onBack={() => setFactor(false)} />
      </Suspense>
    );
  }
  return (
    <form className={classes["form"]} onSubmit={submit}>
      <FormProblem problem={problem} />
      <TextInput
        label={t("auth.login.username")}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        withAsterisk={false}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
        data-autofocus={username === "" || undefined}
        autoFocus={username === ""}
      />
      <PasswordInput
        label={t("auth.login.password")}
        name="password"
        autoComplete="current-password"
        maxLength={256}
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": t("auth.login.showPassword"), tabIndex: 0 }}
        data-autofocus={username !== "" || undefined}
        autoFocus={username !== ""}
      />
      <SubmitButton busy={busy} disabled={username.trim() === "" || password === ""} wide>
        {t("auth.login.submit")}
      </SubmitButton>
    </form>
  );
}

function remembered(): string {
  const name = device.read(LAST_USERNAME);
  return typeof name === "string" ? name : "";
}
