/** Error codes of the host, in addition to those of wayzone. */

declare module 'wayzone' {
  interface OwnErrorCodes {
    /** The address of a photo is not the address of an uploaded picture. */
    'photo-foreign': true;
    /** The unit or message is not set aside. */
    'aside-missing': true;
    /** The caller has no access to the company. */
    'company-foreign': true;
    /** The companies of a caller are in different databases. */
    'company-elsewhere': true;
    /** Two databases contain the company. */
    'company-in-two': true;
    /** The company does not exist. */
    'company-unknown': true;
    /** Another process is using the data folder. */
    'data-in-use': true;
    /** The host has no database of that name. */
    'database-unknown': true;
    /** Units in two databases have the same device key. */
    'device-in-two': true;
    /** The uploaded file has an unknown format. */
    'format-unknown': true;
    /** The host is closing. A proxy sends the request to another host. */
    'host-closing': true;
    /** A period has too many fixes for one answer. */
    'limit-fixes': true;
    /** A computation needs more memory than a request may use. */
    'limit-memory': true;
    /** A company has too many waiting computations. */
    'limit-queue': true;
    /** A computation takes longer than the time limit of a request. */
    'limit-time': true;
    /** The address exists, but not with this method. */
    'method-unknown': true;
    /** A client sends more requests than its limit. */
    'rate-limit': true;
    /** A message of a cell is missing. */
    'log-gap': true;
    /** A message of a cell cannot be read. */
    'message-invalid': true;
    /** A field of a request is absent. */
    required: true;
    /** PostgreSQL or a broker does not answer. */
    'server-away': true;
    /** An event with the same id but other content exists. */
    'stream-output-differs': true;
    /** The stream of an earlier version has messages that are missing from its stored states. */
    'stream-unfinished': true;
    /** The issuer's answer to a sign-in is not valid: signature, issuer, audience, nonce or time. */
    'sign-in-answer': true;
    /** The issuer does not know the code of a sign-in, or the code was used before. */
    'sign-in-code': true;
    /** The claims of a sign-in name no company. */
    'sign-in-company': true;
    /** The answer of the issuer of sign-ins has an unexpected form. */
    'sign-in-issuer': true;
    /** The issuer has refused a sign-in. */
    'sign-in-refused': true;
    /** The claims of a sign-in name no role. */
    'sign-in-role': true;
    /** The return from the issuer is late, was received before, or belongs to another browser's sign-in. */
    'sign-in-state': true;
    /** A setting differs from its value at the first start. */
    'stream-settings': true;
    /** Tracing is on, but its packages are not installed. */
    'tracing-missing': true;
    /** A text contains characters that the database cannot store. */
    'text-invalid': true;
    /** Geozones of a company changed during each attempt to read them all. */
    'zones-changing': true;
    /** The stored zones of the requested version were deleted. */
    'zones-pruned': true;
    /** The row was changed since the client read it. */
    'version-differs': true;
  }
}

export {};
