const SECRET_NAME = /token(?!s|[_-]?(?:limit|count|budget))|secret|passw|api_?-?key|authorization|credential|cookie/i;

/** Whether a variable, header or flag holds a secret, by its name. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
