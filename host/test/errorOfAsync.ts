/** The error of a promise that must reject. */
export async function errorOfAsync(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error;
  throw new Error(`expected an error, received ${JSON.stringify(outcome.value).slice(0, 100)}`);
}
