(component
  ;; The answer lies at 2048: 1 for an error. A socket would be a leak.
  (import "wasi:sockets/network@0.2.0" (instance $network
    (type $error' (enum
      "unknown" "access-denied" "not-supported" "invalid-argument" "out-of-memory" "timeout"
      "concurrency-conflict" "not-in-progress" "would-block" "invalid-state" "new-socket-limit"
      "address-not-bindable" "address-in-use" "remote-unreachable" "connection-refused" "connection-reset"
      "connection-aborted" "datagram-too-large" "name-unresolvable" "temporary-resolver-failure"
      "permanent-resolver-failure"))
    (export "error-code" (type (eq $error')))
    (type $family' (enum "ipv4" "ipv6"))
    (export "ip-address-family" (type (eq $family')))))
  (alias export $network "error-code" (type $error))
  (alias export $network "ip-address-family" (type $family))
  (import "wasi:sockets/tcp@0.2.0" (instance $tcp
    (export "tcp-socket" (type (sub resource)))))
  (alias export $tcp "tcp-socket" (type $socket))
  (import "wasi:sockets/tcp-create-socket@0.2.0" (instance $create
    (alias outer 1 $error (type $error'))
    (export "error-code" (type $error (eq $error')))
    (alias outer 1 $family (type $family'))
    (export "ip-address-family" (type $family (eq $family')))
    (alias outer 1 $socket (type $socket'))
    (export "tcp-socket" (type $socket (eq $socket')))
    (export "create-tcp-socket" (func (param "address-family" $family) (result (result (own $socket) (error $error)))))))
  (core module $libc
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at)))
  (core instance $libc (instantiate $libc))
  (core func $create (canon lower (func $create "create-tcp-socket") (memory (core memory $libc "memory"))))
  (core module $module
    (import "host" "create" (func $create (param i32 i32)))
    (import "host" "memory" (memory $host 2))
    (memory (export "memory") 2)
    (global $top (mut i32) (i32.const 65536))
    (func $realloc (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $top) (i32.const 7)) (i32.const -8)))
      (global.set $top (i32.add (local.get $at) (local.get 3)))
      (local.get $at))
    (func (export "run") (param i32) (result i32)
      (call $create (i32.const 0) (i32.const 2048))
      (if (i32.ne (i32.load8_u $host (i32.const 2048)) (i32.const 1)) (then (unreachable)))
      (i32.const 1024)))
  (core instance $main (instantiate $module
    (with "host" (instance (export "create" (func $create)) (export "memory" (memory $libc "memory"))))))
  ;; frame
)
