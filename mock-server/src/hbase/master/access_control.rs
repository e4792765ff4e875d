//! The methods of the master for permissions, all of which fail, as on a cluster without
//! `AccessController`.

use tallrow_wire::exception::{self, RemoteException};

use crate::base::remote_exception;
use crate::hbase::call::Method;

/// The methods about permissions.
pub(super) const METHODS: &[Method] = &[
    ("Grant", |_, _| Err(not_loaded())),
    ("Revoke", |_, _| Err(not_loaded())),
    ("GetUserPermissions", |_, _| Err(not_loaded())),
    ("HasUserPermissions", |_, _| Err(not_loaded())),
];

fn not_loaded() -> RemoteException {
    let text = "java.lang.UnsupportedOperationException: \
                org.apache.hadoop.hbase.security.access.AccessController is not loaded";
    remote_exception(exception::DO_NOT_RETRY, text)
}
