"""What generate.py writes as it stands: types that the engine has in another form, the handles and how they open."""

FIXED_TYPES = '''
    /// A moment in UTC, in milliseconds since 1970.
    @since(version = 0.1.0)
    type timestamp = s64;

    /// Names a record: 32 hexadecimal digits.
    @since(version = 0.1.0)
    type record-id = string;

    /// Names an operation: 32 hexadecimal digits.
    @since(version = 0.1.0)
    type op-id = string;

    /// Identifies an event: 16 hexadecimal digits.
    @since(version = 0.1.0)
    type event-key = string;

    /// Identifies a wording: 16 hexadecimal digits.
    @since(version = 0.1.0)
    type text-key = string;

    /// Counts by name.
    @since(version = 0.1.0)
    type tally = list<tuple<string, u32>>;

    /// To whom a record applies, or whose memory is asked. A key that is not given is not fixed.
    @since(version = 0.1.0)
    record scope {
        /// A person.
        user: option<string>,
        /// A project.
        project: option<string>,
        /// A repository.
        repo: option<string>,
        /// A part of a repository or system.
        subsystem: option<string>,
        /// One agent.
        agent: option<string>,
    }

    /// What a memory says to an answer in an argument.
    @since(version = 0.1.0)
    variant verdict {
        /// The answer does not meet the objection, and why.
        rebut(string),
        /// The objection has been met, or was decided upon.
        settled(came),
    }

    /// The clock and the random source of one call. The engine has neither.
    @since(version = 0.1.0)
    record env {
        /// The time of the call.
        now: timestamp,
        /// 128 bits that were never used before. A call that is repeated with its seed is the same operation.
        seed: tuple<u64, u64>,
    }

    /// What went wrong, with a code that stays the same.
    @since(version = 0.1.0)
    record problem {
        /// For example `invalid.text` or `host.store`; docs/errors.md has each one's remedy.
        code: string,
        /// The same in a sentence.
        message: string,
    }

    /// Why nothing was done.
    @since(version = 0.1.0)
    variant error {
        /// The input cannot be used as it is.
        invalid(problem),
        /// The host's store, embedder or model failed.
        host(problem),
        /// Others kept writing to the space. Nothing was changed; try again.
        contended(problem),
        /// Stored data breaks an invariant.
        corrupt(problem),
        /// Stored data is of another version than this engine reads.
        incompatible(problem),
        /// The host answered in a way that it may not.
        protocol(problem),
        /// A limit of the policy was passed.
        limit(problem),
    }
'''

SPACE_HEAD = '''
    /// Where the vectors of a space come from.
    @since(version = 0.1.0)
    enum embedder-choice {
        /// The host's embedder where it has one, else the built-in table where the host has that, else none.
        best,
        /// The host's embedder; an error where it has none.
        host,
        /// The built-in table; an error where the host does not hand it over.
        table,
        /// Hashes of words: no data, weak.
        hashing,
        /// None: search by words alone.
        none,
    }

    /// How the tokens of a text are counted.
    @since(version = 0.1.0)
    enum counter-choice {
        /// Exactly, where the host hands the table over; else by bytes.
        best,
        /// Exactly, as o200k does; an error where the host does not hand its table over.
        o200k,
        /// By bytes.
        bytes,
    }

    /// How a space is opened.
    @since(version = 0.1.0)
    record setup {
        /// The numbers of the policy that differ from their defaults, as a JSON object; empty for none. Which there are
        /// is in the table of docs/architecture.md.
        policy: string,
        /// Where vectors come from.
        embedder: embedder-choice,
        /// How tokens are counted.
        counter: counter-choice,
    }

    /// One space of memory. Whoever holds the handle may do anything in this space, and nothing in any other.
    @since(version = 0.1.0)
    resource space {
        /// Opens the space that a store holds; without a store, an empty one that lives as long as the handle and
        /// leaves as a snapshot. Without a setup everything is at its best.
        @since(version = 0.1.0)
        open: static func(store: option<store>, setup: option<setup>) -> result<space, error>;

        /// Opens a space from a snapshot. It lives as long as the handle.
        @since(version = 0.1.0)
        open-snapshot: static func(snapshot: list<u8>, setup: option<setup>) -> result<space, error>;

        /// The whole space in bytes, with its history, live traces and indexes: a later instance goes on from there. It
        /// is of this version of the engine; `export-records` is for other hosts and later ones.
        @since(version = 0.1.0)
        snapshot: func() -> result<list<u8>, error>;

        /// A handle to this space that can read and not write.
        @since(version = 0.1.0)
        reader: func() -> reader;
'''

READER_HEAD = '''
    /// A space that can be read and not written.
    @since(version = 0.1.0)
    resource reader {
'''

OPENING = '''    fn open(store: Option<api::Store>, setup: Option<Setup>) -> Result<api::Space, wit::Error> {
        Self::open_store(store, setup).map(api::Space::new)
    }

    fn open_snapshot(snapshot: Vec<u8>, setup: Option<Setup>) -> Result<api::Space, wit::Error> {
        Self::open_bytes(snapshot, setup).map(api::Space::new)
    }

    fn snapshot(&self) -> Result<Vec<u8>, wit::Error> {
        self.0.snapshot()
    }

    fn reader(&self) -> api::Reader {
        api::Reader::new(Reader(self.0.clone()))
    }

'''
