/** Codes that the host's own errors have besides those of wayzone. */

declare module 'wayzone' {
  interface OwnErrorCodes {
    /** A company that does not exist is named. */
    'company-unknown': true;
    /** Another process has the folder of the data open. */
    'data-in-use': true;
    /** An uploaded file is of no format that is read. */
    'format-unknown': true;
    /** A client sends more requests than its limit. */
    'rate-limit': true;
    /** A field of a request is absent. */
    required: true;
    /** A text cannot be stored. */
    'text-invalid': true;
    /** The row was changed since the client read it. */
    'version-differs': true;
  }
}

export {};
